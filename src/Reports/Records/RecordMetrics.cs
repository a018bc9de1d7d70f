using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>
/// The numbers of a record by the names that thresholds and the interval log have for them: <c>rtt-intended.p99</c>,
/// <c>lost</c>, <c>2.service.p50</c> of the second phase, <c>2.forward.p50</c> to the second consumer,
/// <c>comparison.rtt.p50.ratio</c> of two servers. Times are nanoseconds; what is not known is not there.
/// </summary>
internal sealed class RecordMetrics
{
    /// <summary>What precedes how the second of two servers differs from the first.</summary>
    public const string ComparisonMark = "comparison.";

    private const string Consumer = "consumer";

    private readonly Dictionary<string, double> _values = [];
    private readonly List<string> _names = [];
    private readonly HashSet<string> _betterWhenHigher = [];

    private RecordMetrics(RunRecord record)
    {
        for (var place = 0; place < record.Summaries.Count; place++)
            Add(record.Summaries[place], MarkOf(record, place));
        if (record.Forward is { } forward)
        {
            foreach (var series in forward.Series)
                Add(series.Name, series.Count, series.Min, series.Mean, series.Percentiles, series.Max);
            Add(Measured.ClockError, forward.FromSent?.ErrorNs);
        }

        if (record.Comparison is { } comparison)
            Add(comparison);
        Add("max-rate", record.Search?.Held);
        Add("max-rate-upper", record.Search is { Held: not null } search ? search.Missed?.Asked : null);
        if (record.Hiccups is { } hiccups)
            Add(string.Empty, hiccups);
    }

    public static IReadOnlyDictionary<string, double> Of(RunRecord record) => new RecordMetrics(record)._values;

    /// <summary>The names that its numbers have, those included that are not known.</summary>
    public static IReadOnlyList<string> NamesOf(RunRecord record) => new RecordMetrics(record)._names;

    /// <summary>The names of those of which the higher is the better one.</summary>
    public static IReadOnlySet<string> BetterWhenHigher(RunRecord record) =>
        new RecordMetrics(record)._betterWhenHigher;

    /// <summary>
    /// What precedes the names of a summary, as in the interval log: nothing where it is the only one, or of all the
    /// others together.
    /// </summary>
    public static string MarkOf(RunRecord record, int place)
    {
        if (record.Summaries[place].Workload is { } workload)
            return workload.Tag.Length == 0 ? string.Empty : $"{workload.Tag}.";
        var isWhole = place == 0
            && (record.Summaries[0] is { Delay: not null } or { Sync: not null } || record.Role == Consumer);
        return isWhole || record.Summaries.Count == 1 ? string.Empty : $"{SummaryMark.Of(place)}.";
    }

    private void Add(TargetComparison comparison)
    {
        foreach (var row in comparison.Percentiles)
        {
            var name = string.Create(
                CultureInfo.InvariantCulture, $"{ComparisonMark}{comparison.Series}.p{row.Percentile:0.###}");
            Add($"{name}.ratio", row.Ratio);
            Add($"{name}.ratio-lower", row.RatioLower);
            Add($"{name}.ratio-upper", row.RatioUpper);
            Add($"{name}.difference", row.DifferenceNs);
        }
    }

    private void Add(RunSummary summary, string mark)
    {
        foreach (var row in summary.Metrics.Where(row => row.Labels is null))
            Add(mark + row.Name, row.IsLeast ? null : row.Value, row.BetterWhen);
        Add($"{mark}throughput", summary.Rates.Achieved, BetterWhen.Higher);
        Add($"{mark}rate", summary.Rates.Achieved / summary.Rates.Asked, BetterWhen.Higher);
        foreach (var series in summary.Latencies)
            Add(mark, series);
        for (var i = 0; i < summary.OneWay.Count; i++)
            Add(summary.OneWay[i], i == 0 ? mark : string.Create(CultureInfo.InvariantCulture, $"{mark}{i + 1}."));
        if (summary.Delay is { ReadElsewhere: false } delay)
            Add(mark + Measured.ClockError, delay.ErrorNs);
    }

    // A direction whose clocks contradict each other has no number that could be read.
    private void Add(OneWayPair pair, string mark)
    {
        if (pair.Grade is null or OneWayGrade.F)
            return;
        Add(mark + Measured.ClockError, pair.Offset?.ErrorWorstNs);
        foreach (var series in pair.Series)
            Add(mark + series.Name, series.Count, series.Min, series.Mean, series.Percentiles, series.Max);
    }

    private void Add(string mark, LatencySeries series) =>
        Add(mark + series.Name, series.Count, series.Min, series.Mean, series.Percentiles, series.Max);

    private void Add(
        string name, long? count, long? min, double? mean, IReadOnlyList<PercentileRow> percentiles, long? max)
    {
        Add($"{name}.count", count);
        Add($"{name}.min", min);
        Add($"{name}.mean", mean);
        foreach (var row in percentiles)
            Add(string.Create(CultureInfo.InvariantCulture, $"{name}.p{row.Percentile:0.###}"), row.Value);
        Add($"{name}.max", max);
    }

    private void Add(string name, double? value, BetterWhen better = BetterWhen.Lower)
    {
        _names.Add(name);
        if (better == BetterWhen.Higher)
            _betterWhenHigher.Add(name);
        if (value is { } known && double.IsFinite(known))
            _values[name] = known;
    }
}
