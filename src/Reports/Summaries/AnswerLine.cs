using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>What came out of a run, in one sentence.</summary>
internal static class AnswerLine
{
    /// <summary>The percentiles that it names.</summary>
    public static readonly IReadOnlyList<double> Shown = [50, 99];

    public static string Of(RunRecord record) => record switch
    {
        { Summaries.Count: 0 } => "nothing was measured",
        { Search: { } search } => SearchSection.Sentence(search),
        { Comparison: { } comparison } => ComparisonSection.Sentence(comparison),
        _ => RecordKind.Of(record).Sentence(record),
    };

    /// <summary>A percentile with its unit; the reason where it is not known.</summary>
    public static string Value(IReadOnlyList<PercentileRow> rows, double percentile) =>
        rows.At(percentile) is { Value: not null } row ? LatencyTable.Cell(row)
            : $"not known ({LatencyTable.WordFor(rows.At(percentile))})";

    /// <summary>The percentiles that are named, with their units.</summary>
    public static string Percentiles(IReadOnlyList<PercentileRow> rows) => string.Join(
        ", ", Shown.Select(percentile => $"{LatencyTable.NameOf(percentile)} {Value(rows, percentile)}"));

    /// <summary>Of messages, for each target.</summary>
    public static string Messages(RunRecord record) => string.Join("; ", record.Summaries.Select(
        summary => record.Summaries.Count > 1 ? $"{summary.Name}: {Messages(summary)}" : Messages(summary)));

    /// <summary>Of a load's last phase.</summary>
    public static string Phase(RunRecord record) =>
        string.Join("; ", WorkloadResults.PhasesOf(record).TakeLast(1).Select(Phase));

    public static string Served(ServedRecord served) =>
        $"echoed {Quantity.Count(served.Echoed)} messages of {Quantity.Count(served.Producers.Count)} "
            + $"producer{(served.Producers.Count == 1 ? "" : "s")} in "
            + Quantity.Elapsed(TimeSpan.FromNanoseconds(served.Duration));

    public static string Delay(RunSummary summary) => summary.Delay is { ReadElsewhere: false } delay
        ? CheckLine.Behind(summary, delay, summary.Count(Counted.Asked) ?? 0)
        : $"wrote {Quantity.Count(summary.Count(Counted.Sent))} of {Quantity.Count(summary.Count(Counted.Asked))} keys";

    private static string Messages(RunSummary summary)
    {
        var (series, sent) = (Headline.SeriesOf(summary), summary.Count(Counted.Sent));
        return series is null
            ? $"{Quantity.Count(sent)} of {Quantity.Count(summary.Count(Counted.Asked) ?? sent)} sent"
            : $"{Percentiles(series.Percentiles)} round trip{(series.Name == "rtt-intended" ? " from intended" : "")}; "
                + $"{Quantity.Count(summary.Count(Counted.Returned))} of "
                + $"{Quantity.Count(summary.Count(Counted.Owed) ?? sent)} returned";
    }

    private static string Phase(RunSummary phase)
    {
        if (phase.Count(Counted.Asked) is null or 0 && phase.Count(Counted.Sent) == 0)
            return $"{phase.Name}: nothing was measured";
        var series = Headline.SeriesOf(phase);
        var latency = series is null ? ""
            : $", {Percentiles(series.Percentiles)}{(series.Name == Measured.Response ? " from intended" : "")}";
        // Other tools do not always say how many there were.
        var count = phase.Count(Counted.Returned) is null ? ""
            : (phase.Count(Counted.Asked) ?? phase.Count(Counted.Sent)) is { } asked
            ? $"; {Quantity.Count(phase.Count(Counted.Returned))} of {Quantity.Count(asked)} operations"
            : $"; {Quantity.Count(phase.Count(Counted.Returned))} operations";
        return $"{phase.Name}: {Quantity.Rate(phase.Rates.Achieved ?? double.NaN)}{latency}{count}";
    }
}
