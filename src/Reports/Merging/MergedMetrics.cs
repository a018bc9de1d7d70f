using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// Numbers of all parts, each by the rule of its own metric: what one part does not know, the whole does not know
/// either.
/// </summary>
internal sealed class MergedMetrics
{
    private List<RecordedMetric>? _sum;
    private double _sent;

    /// <summary>The numbers of the whole.</summary>
    public IReadOnlyList<RecordedMetric> Rows => _sum ?? [];

    public void Add(IReadOnlyList<RecordedMetric> part)
    {
        var sent = part.Count(Counted.Sent) ?? 0;
        var own = part.GroupBy(KeyOf).ToDictionary(same => same.Key, same => same.First());
        _sum = _sum is null
            ? [.. part.Where(row => row.Merge != MergeRule.None)]
            : [.. _sum.Where(row => own.ContainsKey(KeyOf(row))).Select(row => Merged(row, own[KeyOf(row)], sent))];
        _sent += sent;
    }

    private static (string, string) KeyOf(RecordedMetric row) => (row.Name, string.Join(
        ',', (row.Labels ?? new Dictionary<string, string>()).OrderBy(label => label.Key, StringComparer.Ordinal)));

    private RecordedMetric Merged(RecordedMetric sum, RecordedMetric part, double sent) => sum with
    {
        Value = Known(sum.Merge switch
        {
            MergeRule.Max when (sum.Value, part.Value) is ({ } a, { } b) => Math.Max(a, b),
            MergeRule.Max => null,
            MergeRule.Mean => ((sum.Value * _sent) + (part.Value * sent)) / (_sent + sent),
            _ => sum.Value + part.Value,
        }),
        IsLeast = sum.IsLeast || part.IsLeast,
    };

    // Nobody counts so far; a file may say so.
    private static double? Known(double? value) =>
        Math.Abs(value ?? 0) <= RunRecordReader.LargestNumber ? value : null;
}
