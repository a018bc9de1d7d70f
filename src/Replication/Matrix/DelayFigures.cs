using System.Text.Json.Serialization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Matrix;

/// <summary>The three figures of a pair of regions, in nanoseconds; null where they are not known.</summary>
internal sealed record DelayFigures(double? Average, double? P95, double? P99)
{
    [JsonIgnore]
    public UnknownPercentile? WhyNoAverage { get; init; }

    [JsonIgnore]
    public UnknownPercentile? WhyNoP95 { get; init; }

    [JsonIgnore]
    public UnknownPercentile? WhyNoP99 { get; init; }

    public static DelayFigures OfMilliseconds(double average, double p95, double p99) =>
        new(average * 1e6, p95 * 1e6, p99 * 1e6);

    public static DelayFigures Of(LatencyHistogram delays)
    {
        var (p95, p99) = (PercentileRow.Of(delays, 95), PercentileRow.Of(delays, 99));
        var isWhole = delays.TotalCount > 0 && delays.Beyond == 0;
        return new DelayFigures(isWhole ? delays.Mean : null, p95.Value, p99.Value)
        {
            WhyNoAverage = delays.Beyond > 0 ? UnknownPercentile.MissingSamples : null,
            WhyNoP95 = p95.Unknown,
            WhyNoP99 = p99.Unknown,
        };
    }

    public DelayFigures Between(DelayFigures least, DelayFigures most)
    {
        var (isP95, isP99) = (DelayRows.IsWide(least.P95, most.P95), DelayRows.IsWide(least.P99, most.P99));
        return new DelayFigures(Average, isP95 ? null : P95, isP99 ? null : P99)
        {
            WhyNoAverage = WhyNoAverage,
            WhyNoP95 = isP95 ? UnknownPercentile.WideInterval : WhyNoP95,
            WhyNoP99 = isP99 ? UnknownPercentile.WideInterval : WhyNoP99,
        };
    }
}

/// <summary>Figures that somebody published, to compare with: of their machines, networks and servers.</summary>
internal sealed record PublishedDelays(
    string Name, string Source, IReadOnlyList<(string From, string To, DelayFigures Figures)> Pairs)
{
    private static readonly DelayFigures BeijingShanghai = DelayFigures.OfMilliseconds(28.35, 39.0, 54.5);
    private static readonly DelayFigures BeijingShenzhen = DelayFigures.OfMilliseconds(34.2, 69.5, 103.0);
    private static readonly DelayFigures ShanghaiShenzhen = DelayFigures.OfMilliseconds(29.0, 40.6, 61.7);

    public static IReadOnlyList<PublishedDelays> All { get; } =
    [
        new(
            "global-replica",
            "Alibaba Cloud, Global Replica for Redis: clusters in three regions, by replicator-delay-test",
            [
                ("beijing", "shanghai", BeijingShanghai),
                ("beijing", "shenzhen", BeijingShenzhen),
                ("shanghai", "beijing", BeijingShanghai),
                ("shanghai", "shenzhen", ShanghaiShenzhen),
                ("shenzhen", "shanghai", ShanghaiShenzhen),
                ("shenzhen", "beijing", BeijingShenzhen),
            ]),
    ];

    public static string? Problem(string name) => All.Any(known => known.Name == name)
        ? null
        : $"known are {string.Join(", ", All.Select(known => known.Name))}";

    public DelayFigures? Of(string from, string to) => Pairs.FirstOrDefault(pair =>
        pair.From.Equals(from, StringComparison.OrdinalIgnoreCase)
        && pair.To.Equals(to, StringComparison.OrdinalIgnoreCase)).Figures;
}
