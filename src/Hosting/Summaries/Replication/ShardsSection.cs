using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results.Records;
using RedisLatency.Metrics.Results.Records.Summaries;

namespace RedisLatency.Hosting.Summaries.Replication;

/// <summary>The delay of each shard of a cluster, beside that of all keys.</summary>
internal sealed class ShardsSection(RunRecord record)
{
    // The first summary is that of all keys.
    private readonly IReadOnlyList<RunSummary> _shards = [.. record.Summaries.Skip(1).Where(one => one.Delay is not null)];

    public void WriteTo(TextWriter writer)
    {
        if (_shards.Count == 0)
            return;
        var unit = Quantity.UnitFor([.. _shards.Select(shard => SeriesOf(shard, "delay")?.Min ?? 0)]);
        SummaryText.Heading(writer, $"SHARDS, {Quantity.Symbol(unit)}, from when keys were sent");
        var table = new TextTable([string.Empty, "keys", "not read", "mean", "p50", "p99", "max", "most"]);
        for (var i = 0; i < _shards.Count; i++)
        {
            var (keys, delay) = (_shards[i].Delay!, SeriesOf(_shards[i], "delay"));
            table.Add(
            [
                NameOf(i), Quantity.Count(keys.Asked), Quantity.Count(keys.Asked - keys.Read), Show(delay?.Mean),
                Show(Percentile(delay, 50)), Show(Percentile(delay, 99)), Show(delay?.Max),
                Show(SeriesOf(_shards[i], "delay-upper")?.Max),
            ]);
        }

        table.WriteTo(writer);
        for (var i = 0; i < _shards.Count; i++)
            SummaryText.Line(writer, $"{NameOf(i)}: {_shards[i].Name}");

        string Show(double? nanoseconds) =>
            nanoseconds is { } value ? Quantity.Duration(value, unit) : Quantity.None;
    }

    // As the result line marks them: the first letter is that of all keys.
    private static string NameOf(int shard) => shard < 25 ? $"{(char)('b' + shard)}" : $"shard {shard + 1}";

    private static LatencySeries? SeriesOf(RunSummary shard, string name) =>
        shard.Latencies.FirstOrDefault(series => series.Name == name && series.Count > 0);

    private static double? Percentile(LatencySeries? series, double percentile) =>
        series?.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value;
}
