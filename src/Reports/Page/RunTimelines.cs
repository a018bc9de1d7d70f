using System.Runtime.ExceptionServices;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>All series of a run's interval log over time; memory does not grow with the run's length.</summary>
public sealed class RunTimelines
{
    internal const string NegativeEnd = "-negative";
    private const string BelowFloorEnd = "-below-floor";

    private readonly SortedDictionary<string, SeriesTimeline> _series = new(StringComparer.Ordinal);
    private readonly List<(MeasuredSide Side, SeriesTimeline? Timeline)> _sides = [];
    private readonly HashSet<string> _contradicted = new(StringComparer.Ordinal);

    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public RunTimelines(SavedRun run)
    {
        var lines = new Dictionary<string, int>(StringComparer.Ordinal);
        // Counts them only: how many there are says how many make up a slice.
        foreach (var _ in run.ReadIntervals(tag =>
        {
            var name = tag ?? string.Empty;
            lines[name] = lines.GetValueOrDefault(name) + 1;
            return false;
        }))
        {
        }

        foreach (var side in MeasuredSide.Of(run.Record, lines.Keys))
        {
            var starts = lines.Where(line => side.Has(line.Key)).Select(line => line.Value).DefaultIfEmpty().Max();
            _sides.Add((side, starts > 0 ? new SeriesTimeline(side.Name, starts, hasBands: true) : null));
        }

        foreach (var (tag, count) in lines)
            _series.Add(tag, new SeriesTimeline(tag, count));
        ReadSeries(run);
        Start = _series.Values.Where(series => series.Slices.Count > 0)
            .Min(series => (DateTimeOffset?)series.Slices[0].Start);
        if (run.Record is { } record)
        {
            AddSums(record);
            CountMissing(record);
        }

        CountNegatives();
        Blocks = BlocksOf(run);
    }

    /// <summary>When the first interval began; null where there is none.</summary>
    public DateTimeOffset? Start { get; }

    /// <summary>
    /// What the run is about, all operations of a load together: of each server or destination that was measured beside
    /// another; one of any other run, none where nothing was timed.
    /// </summary>
    public IReadOnlyList<(string Label, SeriesTimeline Timeline)> Sides =>
        [.. _sides.Where(side => side.Timeline is { All.TotalCount: > 0 })
            .Select(side => (side.Side.Label, side.Timeline!))];

    /// <summary>
    /// Each of these in the shortest parts that are known of it, for a heatmap: sixteenths of a second of a short run.
    /// </summary>
    public IReadOnlyList<SeriesTimeline> Blocks { get; }

    /// <summary>The same with those that have nothing in the log.</summary>
    internal IReadOnlyList<(MeasuredSide Side, SeriesTimeline? Timeline)> MeasuredSides => _sides;

    /// <summary>The first of these that was logged.</summary>
    public SeriesTimeline? Headline => _sides.Select(side => side.Timeline).FirstOrDefault(one => one is not null);

    /// <summary>Every series of the log.</summary>
    public IEnumerable<SeriesTimeline> All => _series.Values;

    /// <summary>
    /// Every series of latencies: without the magnitudes of what is negative or below the floor, and what clocks that
    /// contradict each other made.
    /// </summary>
    public IEnumerable<SeriesTimeline> Series => _series.Values.Where(series =>
        !series.Name.EndsWith(NegativeEnd, StringComparison.Ordinal)
        && !series.Name.EndsWith(BelowFloorEnd, StringComparison.Ordinal)
        && !series.Name.EndsWith(Metric.GcPausesTag, StringComparison.Ordinal)
        && !_contradicted.Contains(series.Name));

    /// <summary>
    /// The phases of a load that were logged under their numbers, in their order, each with the series that it is
    /// about; none of anything else.
    /// </summary>
    internal IReadOnlyList<(string Number, IReadOnlyList<SeriesTimeline> Series)> PhasesLogged =>
        _sides is not [({ IsOfAllPhases: true } side, _)] ? []
        :
        [
            .. _series.Values.Where(series => series.Name.Contains('.') && side.Has(series.Name))
                .GroupBy(series => series.Name[..series.Name.LastIndexOf('.')])
                .OrderBy(phase => phase.Key.Length).ThenBy(phase => phase.Key, StringComparer.Ordinal)
                .Select(phase => (phase.Key, (IReadOnlyList<SeriesTimeline>)[.. phase])),
        ];

    // Every processor decodes some of the series; those of a side are one's, in their order.
    private void ReadSeries(SavedRun run)
    {
        var place = 0;
        var parts = _series.Keys.ToLookup(tag => _sides.FindIndex(side => side.Side.Has(tag)) is >= 0 and var side
            ? -1 - side : place++ % Environment.ProcessorCount);
        try
        {
            // While it is measured, who measures comes first.
            var most = new ParallelOptions { MaxDegreeOfParallelism = run.IsUnderWay ? 1 : -1 };
            Parallel.ForEach(parts, most, part =>
            {
                var tags = part.ToHashSet(StringComparer.Ordinal);
                var side = part.Key < 0 ? _sides[-1 - part.Key].Timeline : null;
                foreach (var interval in run.ReadIntervals(tag => tags.Contains(tag ?? string.Empty)))
                {
                    _series[interval.Tag ?? string.Empty].Add(interval);
                    side?.Add(interval);
                }
            });
        }
        catch (AggregateException failures)
        {
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }

        foreach (var series in _series.Values)
            series.Close();
        foreach (var (_, timeline) in _sides)
            timeline?.Close();
    }

    // Of a run that was put together of others, the blocks of one are not those of all.
    private List<SeriesTimeline> BlocksOf(SavedRun run)
    {
        var lines = run.ReadBlocks().Select(block => block.Tag ?? string.Empty).CountBy(tag => tag).ToDictionary();
        var sides = _sides.Where(side => side.Timeline is { All.TotalCount: > 0 }).Select(side => (
            side.Side,
            Timeline: side.Timeline!,
            Blocks: new SeriesTimeline(
                side.Side.Name,
                lines.Where(line => side.Side.Has(line.Key)).Sum(line => line.Value),
                hasBands: true))).ToList();
        foreach (var block in run.ReadBlocks())
            sides.Find(side => side.Side.Has(block.Tag ?? string.Empty)).Blocks?.Add(block);
        sides.ForEach(side => side.Blocks.Close());
        return sides.TrueForAll(side => side.Blocks.All.TotalCount == side.Timeline.All.TotalCount)
            ? [.. sides.Select(side => side.Blocks)]
            : [.. sides.Select(side => side.Timeline)];
    }

    // A load logs its operations one by one: what the record has of all of a phase is their sum.
    private void AddSums(RunRecord record)
    {
        foreach (var (place, summary) in record.Summaries.Index())
        {
            var mark = RecordMetrics.MarkOf(record, place);
            foreach (var series in summary.Latencies)
            {
                if (series.Count is null or 0 || _series.ContainsKey(mark + series.Name))
                    continue;
                var all = new Headline(mark, series.Name, []);
                var parts = _series.Values.Where(part => all.IsLoggedAs(part.Name)).ToList();
                if (parts.Count > 0)
                    _series.Add(mark + series.Name, SeriesTimeline.SumOf(mark + series.Name, parts));
            }
        }
    }

    private void CountMissing(RunRecord record)
    {
        foreach (var (side, timeline) in _sides)
            timeline?.All.SetMissing(side.Missing);
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            var summary = record.Summaries[place];
            foreach (var series in summary.Latencies)
                CountMissing(mark + series.Name, series.Missing ?? 0);
            for (var pair = 0; pair < summary.OneWay.Count; pair++)
            {
                foreach (var series in summary.OneWay[pair].Series)
                {
                    var tag = (pair == 0 ? mark : $"{mark}{pair + 1}.") + series.Name;
                    CountMissing(tag, series.Missing);
                    if (summary.OneWay[pair].Grade == OneWayGrade.F)
                        _contradicted.Add(tag);
                }
            }
        }
    }

    private void CountMissing(string tag, long missing)
    {
        if (_series.TryGetValue(tag, out var series))
            series.All.SetMissing(missing);
    }

    private void CountNegatives()
    {
        foreach (var (tag, negatives) in _series.Where(one => one.Key.EndsWith(NegativeEnd, StringComparison.Ordinal)))
        {
            if (_series.TryGetValue(tag[..^NegativeEnd.Length], out var series))
                series.All.Record(-1, negatives.All.TotalCount);
        }
    }
}
