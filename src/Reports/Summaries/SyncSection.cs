using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a synchronisation carried over, and what not; then the same of each shard of the source.</summary>
internal sealed class SyncSection(RunRecord record)
{
    private const int MostReasons = 8;

    private static readonly Metric[] Columns =
    [
        Counted.Read, Counted.Keys, Counted.Commands, Counted.Filtered, Counted.Skipped, Counted.Rebuilt,
    ];

    public static string Sentence(RunSummary summary)
    {
        // A small copy takes less than a second.
        var time = TimeSpan.FromNanoseconds(summary.DurationNs ?? 0);
        var took = time.TotalSeconds < 10 ? Quantity.Duration(time.TotalNanoseconds) : Quantity.Elapsed(time);
        return $"{Quantity.Count(summary.Count(Counted.Keys))} keys and "
            + $"{Quantity.Count(summary.Count(Counted.Commands))} commands from {summary.Sync?.Source} to "
            + $"{summary.Sync?.Target} in {took}; {Quantity.Count(summary.Count(Counted.Skipped))} skipped";
    }

    public Section Create()
    {
        var parts = Parts().ToList();
        var (whole, result) = parts[0];
        var seconds = (whole.DurationNs ?? 0) / 1e9;
        var table = new Table([string.Empty, .. Columns.Select(metric => metric.Name), "keys/s", "MB/s"]);
        foreach (var (part, _) in parts)
        {
            table.Add(
            [
                ReferenceEquals(part, whole) ? "all" : part.Name,
                .. Columns.Select(metric => Quantity.Count(part.Count(metric))),
                Quantity.Count((long)((part.Count(Counted.Keys) ?? 0) / seconds)),
                Quantity.Number((part.Count(Counted.Bytes) ?? 0) / seconds / 1e6),
            ]);
        }

        var section = new Section("SYNCHRONISED").Add(table);
        if (whole.Count(Counted.Cut) is > 0 and var cut)
            section.Add($"{Quantity.Count(cut)} commands were cut: their keys lie in several slots");
        if (whole.Count(Counted.TransactionsCut) is > 0 and var transactions)
            section.Add($"{Quantity.Count(transactions)} transactions are none at the target, for that reason");
        if (result.AppliedOffset is { } offset)
            section.Add($"the target has answered for everything up to offset {offset}");
        foreach (var skip in result.Skips.Take(MostReasons))
        {
            var first = skip.First.Length > 0 ? $", the first {skip.First}" : string.Empty;
            section.Add($"skipped {Quantity.Count(skip.Count)}: {skip.Reason}{first}");
        }

        if (whole.Latencies.FirstOrDefault(series => series is { Name: Measured.Lag, Count: > 0 }) is { } lag)
        {
            var values = AnswerLine.Shown.Append(99.9).Select(percentile =>
                $"{LatencyTable.NameOf(percentile)} {AnswerLine.Value(lag.Percentiles, percentile)}");
            section.Add($"lag, from reading to the target's answer: {string.Join(", ", values)}, max "
                + Quantity.Duration(lag.Max));
        }

        return section;
    }

    private IEnumerable<(RunSummary Summary, SyncResult Result)> Parts()
    {
        foreach (var summary in record.Summaries)
        {
            if (summary.Sync is { } result)
                yield return (summary, result);
        }
    }
}
