using System.Text.Json.Serialization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Matrix;

/// <summary>
/// The delays of every pair of regions: of keys that are replicated, or of messages. Several runs of keys of one pair
/// are one row, of all their keys; each way of messages has clocks of its own, and a row.
/// </summary>
public sealed class DelayMatrix
{
    private static readonly DelayFigures Nothing = new(null, null, null);

    private DelayMatrix(IReadOnlyList<MatrixRow> measured, PublishedDelays? reference)
    {
        Reference = reference;
        List<MatrixRow> rows =
        [
            .. measured.Select(row => row with { Published = reference?.Of(row.Source, row.Destination) }),
            .. (reference?.Pairs ?? []).Where(pair => !measured.Any(row => row.IsOf(pair.From, pair.To)))
                .Select(pair => Unmeasured(pair.From, pair.To, pair.Figures)),
        ];
        var regions = rows.SelectMany(row => new[] { row.Source, row.Destination })
            .Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        Rows = [.. rows.OrderBy(row => PlaceOf(row.Source)).ThenBy(row => PlaceOf(row.Destination))];

        int PlaceOf(string region) =>
            regions.FindIndex(known => known.Equals(region, StringComparison.OrdinalIgnoreCase));
    }

    public IReadOnlyList<MatrixRow> Rows { get; }
    public PublishedDelays? Reference { get; }

    /// <summary>Whether they are of messages.</summary>
    public bool IsOneWay { get; private init; }

    public static DelayMatrix OfKeys(IReadOnlyList<SavedDelay> runs, PublishedDelays? reference) => new(
        [
            .. runs.GroupBy(run => (SourceOf(run).ToUpperInvariant(), DestinationOf(run).ToUpperInvariant()))
                .Select(pair => RowOf([.. pair])),
        ],
        reference);

    public static DelayMatrix OfMessages(IReadOnlyList<RegionWay> ways, PublishedDelays? reference) =>
        new([.. ways.Select(RowOf)], reference) { IsOneWay = true };

    private static string SourceOf(SavedDelay run) => run.Delay.SourceRegion ?? run.Delay.Source;

    private static string DestinationOf(SavedDelay run) => run.Delay.DestinationRegion ?? run.Delay.Destination;

    private static MatrixRow Unmeasured(string from, string to, DelayFigures published) => new()
    {
        Source = from,
        Destination = to,
        Measured = Nothing,
        Least = Nothing,
        Most = Nothing,
        Published = published,
    };

    private static MatrixRow RowOf(IReadOnlyList<SavedDelay> runs)
    {
        var (least, most) = (Merged(runs.Select(run => run.Least)), Merged(runs.Select(run => run.Most)));
        return new MatrixRow
        {
            Source = SourceOf(runs[0]),
            Destination = DestinationOf(runs[0]),
            Series = Measured.Delay,
            Measured = DelayFigures.Of(least, Merged(runs.Select(run => run.Middle)), most),
            Least = DelayFigures.Of(least, least, least),
            Most = DelayFigures.Of(most, most, most),
            Runs = runs.Count,
            RunsInDoubt = runs.Count(run => run.Record.Partial || run.Record.Verdict.Status != VerdictStatus.Valid),
            Read = runs.Sum(run => run.Summary.Count(Counted.Read) ?? 0),
            NotRead = runs.Sum(run => run.Summary.Count(Counted.Asked) - run.Summary.Count(Counted.Read) ?? 0),
            ClockErrorNs = runs.Max(run => run.Delay.ErrorNs),
        };
    }

    private static MatrixRow RowOf(RegionWay way)
    {
        var figures = DelayFigures.Of(way.Forward);
        return new MatrixRow
        {
            Source = way.From,
            Destination = way.To,
            Series = way.Forward?.Name,
            Measured = figures,
            Least = figures,
            Most = figures,
            Runs = 1,
            RunsInDoubt = way.IsInDoubt ? 1 : 0,
            Read = way.Forward?.Count ?? 0,
            NotRead = way.Forward?.Missing ?? 0,
            ClockErrorNs = way.Forward?.ErrorNs ?? 0,
        };
    }

    private static LatencyHistogram Merged(IEnumerable<LatencyHistogram> parts)
    {
        var all = LatencyHistogram.ForLatency();
        foreach (var part in parts)
            all.Add(part);
        return all;
    }
}

/// <summary>The three figures of a pair of regions, in nanoseconds; null where they are not known.</summary>
public sealed record DelayFigures(double? Average, double? P95, double? P99)
{
    [JsonIgnore]
    public UnknownPercentile? WhyNoAverage { get; init; }

    [JsonIgnore]
    public UnknownPercentile? WhyNoP95 { get; init; }

    [JsonIgnore]
    public UnknownPercentile? WhyNoP99 { get; init; }

    public static DelayFigures OfMilliseconds(double average, double p95, double p99) =>
        new(average * 1e6, p95 * 1e6, p99 * 1e6);

    /// <summary>Of messages one way; null where none came, or clocks contradict each other.</summary>
    public static DelayFigures Of(OneWaySeries? series)
    {
        var (p95, p99) = (series?.Percentiles.At(95), series?.Percentiles.At(99));
        return new DelayFigures(series?.Mean, p95?.Value, p99?.Value)
        {
            WhyNoAverage = series is { Mean: null, Missing: > 0 } ? UnknownPercentile.MissingSamples : null,
            WhyNoP95 = p95?.Unknown,
            WhyNoP99 = p99?.Unknown,
        };
    }

    public static DelayFigures Of(LatencyHistogram least, LatencyHistogram middle, LatencyHistogram most)
    {
        var p95 = DelayInterval.Percentile(least, middle, most, 95);
        var p99 = DelayInterval.Percentile(least, middle, most, 99);
        var isWhole = middle.TotalCount > 0 && middle.Beyond + middle.BelowRange == 0;
        var isWide = isWhole && DelayInterval.IsWide(least.Mean, most.Mean);
        return new DelayFigures(isWhole && !isWide ? middle.Mean : null, p95.Value, p99.Value)
        {
            WhyNoAverage = middle.Beyond > 0 ? UnknownPercentile.MissingSamples
                : middle.BelowRange > 0 ? UnknownPercentile.Negative
                : isWide ? UnknownPercentile.WideInterval : null,
            WhyNoP95 = p95.Unknown,
            WhyNoP99 = p99.Unknown,
        };
    }
}

/// <summary>Figures that somebody published, to compare with: of their machines, networks and servers.</summary>
public sealed record PublishedDelays(
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
