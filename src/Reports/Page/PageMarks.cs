using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>
/// The time of a page, in seconds since the first interval of the run's log, and what happened in it: events, steps of
/// clocks, phases, and the tool's own pauses.
/// </summary>
internal sealed class PageMarks
{
    private const string MeasurePhase = "measure";
    private const int MostPauses = 20;

    // More would be a fence before what is drawn.
    private const int MostPhases = 24;

    // What is shorter is what a wait costs on a machine that is shared.
    private const long LeastPauseNs = 1_000_000;

    private readonly RunTimelines _timelines;
    private readonly RecordedPhase? _measure;

    /// <param name="record">The run; null where it has none, or none yet.</param>
    /// <param name="timelines">How it went.</param>
    /// <param name="offsets">What its clocks did.</param>
    /// <param name="events">What happened in it.</param>
    public PageMarks(
        RunRecord? record, RunTimelines timelines, OffsetWindows? offsets, IReadOnlyList<RunEvent> events)
    {
        _timelines = timelines;
        _measure = record?.Phases.FirstOrDefault(phase => phase.Name == MeasurePhase);
        Spans = record is null && PhasesLogged() is { Count: > 1 } logged ? logged
            : record is not null && RecordKind.Of(record).HasPhases ? [.. PhasesOf(record)]
            : [new MeasuredSpan(0, MeasuredUntil, record?.Summaries is [{ } only] ? only : null)];
        ChartMark[] marks =
        [
            .. events.Select(one => Mark(Seconds(one), one.Kind, one.Text)),
            .. (offsets?.Breaks ?? []).Select(one => Mark(Seconds(one.At), "clock", one.Text)),
            .. Spans.Where(_ => Spans.Count is > 1 and <= MostPhases && record?.Comparison is null)
                .Select(phase => Mark(phase.From, "phase", phase.Name)),
            .. Pauses("hiccups", "pause", "a thread of this tool woke late by"),
            .. Pauses(Metric.GcPausesTag, "gc", "garbage collection stopped this tool for"),
        ];
        All = [.. marks.Where(mark => mark.X >= 0).OrderBy(mark => mark.X)];
    }

    /// <summary>In their order.</summary>
    public IReadOnlyList<ChartMark> All { get; }

    /// <summary>When something was measured: in each phase of a load, once in any other run.</summary>
    public IReadOnlyList<MeasuredSpan> Spans { get; }

    public double Seconds(DateTimeOffset at) => (at - (_timelines.Start ?? at)).TotalSeconds;

    private double MeasuredUntil => _measure is { } phase
        ? Seconds(phase.StartUtc) + (phase.DurationNs / 1e9)
        : double.PositiveInfinity;

    // By the monotonic clock, like the log: the wall clock may have been set between an event and the record of it.
    private double Seconds(RunEvent one) => _measure is { StartNs: { } start } phase && one.AtNs != 0
        ? Seconds(phase.StartUtc) + ((one.AtNs - start) / 1e9)
        : Seconds(one.AtUtc);

    private static ChartMark Mark(double at, string kind, string text) =>
        new(at, PlainText.Brief(kind), PlainText.Brief(text));

    // The longest of those that are as long as what is measured usually is: no other can be seen in it.
    private IEnumerable<ChartMark> Pauses(string tag, string kind, string text)
    {
        var least = Math.Max(
            LeastPauseNs, _timelines.Headline is { All.TotalCount: > 0 } known ? known.All.ValueAtPercentile(50) : 0);
        return _timelines.All.Where(series => IsTag(series.Name, tag)).SelectMany(series => series.Slices)
            .Where(slice => slice.Max >= least).OrderByDescending(slice => slice.Max).Take(MostPauses)
            .Select(slice => Mark(Seconds(slice.Middle), kind, $"{text} {Quantity.Duration(slice.Max ?? 0)}") with
            {
                PauseNs = slice.Max,
            });
    }

    private static bool IsTag(string name, string tag) =>
        name == tag || name.EndsWith($".{tag}", StringComparison.Ordinal);

    // Of a load that has no record, or none yet, the log has the numbers of its phases, and not what they are called.
    private List<MeasuredSpan> PhasesLogged() =>
    [
        .. _timelines.PhasesLogged
            .Select(phase => (phase.Number, Slices: phase.Series.SelectMany(series => series.Slices)
                .Where(slice => slice.Count > 0).ToList()))
            .Where(phase => phase.Slices.Count > 0)
            .Select(phase => new MeasuredSpan(
                phase.Slices.Min(slice => Seconds(slice.Start)),
                phase.Slices.Max(slice => Seconds(slice.Start + slice.Length)),
                null)
            {
                Name = phase.Number,
            }),
    ];

    // A phase logs its warm-up as intervals of nothing, and what was under way at its end beside what it measured.
    private IEnumerable<MeasuredSpan> PhasesOf(RunRecord record)
    {
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            var summary = record.Summaries[place];
            var slices = _timelines.Series.Where(series => mark.Length > 0 || record.Summaries.Count == 1)
                .Where(series => series.Name.StartsWith(mark, StringComparison.Ordinal)
                    && series.Name.EndsWith("service", StringComparison.Ordinal))
                .SelectMany(series => series.Slices).ToList();
            var from = slices.Where(slice => slice.Count > 0).DefaultIfEmpty(slices.FirstOrDefault())
                .Min(slice => slice is null ? (double?)null : Seconds(slice.Start));
            if (from is { } start)
                yield return new MeasuredSpan(start, start + (summary.DurationNs ?? 0) / 1e9, summary);
        }
    }
}

/// <summary>A part of a page's time in which a schedule was kept, in seconds, and whose, where that is one's.</summary>
internal sealed record MeasuredSpan(double From, double Until, RunSummary? Summary)
{
    /// <summary>What it is called; empty where that is not known.</summary>
    public string Name { get; init; } = Summary?.Name ?? string.Empty;

    // Intervals begin and end when the reporter woke, and are known to the millisecond.
    private const double Tolerance = 0.1;

    public bool Holds(double from, double length) =>
        from >= From - (Tolerance * length) && from + length <= Until + (Tolerance * length);
}
