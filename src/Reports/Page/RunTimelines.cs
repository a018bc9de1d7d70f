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

        var headline = run.Record is { } record ? Summaries.Headline.Of(record) : OfTags(lines.Keys);
        // Of a load it is of all phases, one after the other.
        if (headline is not null && run.Record is { } load && RecordKind.Of(load).HasPhases)
            headline = headline with { Mark = string.Empty };
        var starts = headline is null ? 0
            : lines.Where(line => IsOf(headline, line.Key)).Select(line => line.Value).DefaultIfEmpty().Max();
        if (headline is not null && starts > 0)
            Headline = new SeriesTimeline(headline.Mark + headline.Name, starts, hasBands: true);
        foreach (var (tag, count) in lines)
            _series.Add(tag, new SeriesTimeline(tag, count));
        ReadSeries(run, headline);
        Start = _series.Values.Where(series => series.Slices.Count > 0)
            .Min(series => (DateTimeOffset?)series.Slices[0].Start);
        if (run.Record is not null)
            CountMissing(run.Record);
        CountNegatives();
    }

    /// <summary>When the first interval began; null where there is none.</summary>
    public DateTimeOffset? Start { get; }

    /// <summary>What the run is about, all operations of a load together; null where nothing was timed.</summary>
    public SeriesTimeline? Headline { get; }

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

    private static bool IsOf(Headline? headline, string tag) => headline?.IsLoggedAs(
        headline is { Mark: "", Name: "response" or "service" } ? tag[(tag.LastIndexOf('.') + 1)..] : tag) == true;

    // Every processor decodes some of the series; those of the headline are one's, in their order.
    private void ReadSeries(SavedRun run, Headline? headline)
    {
        var place = 0;
        var parts = _series.Keys.ToLookup(tag =>
            IsOf(headline, tag) ? 0 : place++ % Environment.ProcessorCount);
        try
        {
            Parallel.ForEach(parts, part =>
            {
                var tags = part.ToHashSet(StringComparer.Ordinal);
                foreach (var interval in run.ReadIntervals(tag => tags.Contains(tag ?? string.Empty)))
                {
                    _series[interval.Tag ?? string.Empty].Add(interval);
                    if (IsOf(headline, interval.Tag ?? string.Empty))
                        Headline?.Add(interval);
                }
            });
        }
        catch (AggregateException failures)
        {
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }

        foreach (var series in _series.Values)
            series.Close();
        Headline?.Close();
    }

    // Of a killed run nothing tells what it was about but the names.
    private static Headline? OfTags(IEnumerable<string> tags)
    {
        var known = tags.ToList();
        var name = new[] { "rtt-intended", "rtt", Measured.Delay }.FirstOrDefault(known.Contains)
            ?? known.Order(StringComparer.Ordinal).FirstOrDefault();
        return name is null ? null : new Headline(string.Empty, name, []);
    }

    private void CountMissing(RunRecord record)
    {
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
        if (Headline?.Name == tag)
            Headline.All.SetMissing(missing);
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
