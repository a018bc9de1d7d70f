using System.Text.Json.Serialization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Matrix;

/// <summary>The delays of every pair of regions; several runs of one pair are one row, of all their keys.</summary>
public sealed class DelayMatrix
{
    private static readonly DelayFigures Nothing = new(null, null, null);

    public DelayMatrix(IReadOnlyList<SavedDelay> runs, PublishedDelays? reference)
    {
        Reference = reference;
        var regions = runs.SelectMany(run => new[] { SourceOf(run), DestinationOf(run) })
            .Concat(reference?.Pairs.SelectMany(pair => new[] { pair.From, pair.To }) ?? [])
            .Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        var measured = runs.GroupBy(
            run => (SourceOf(run).ToUpperInvariant(), DestinationOf(run).ToUpperInvariant())).ToList();
        var rows = measured.Select(pair => RowOf([.. pair]))
            .Concat(reference?.Pairs.Where(pair => !measured.Exists(known =>
                    known.Key == (pair.From.ToUpperInvariant(), pair.To.ToUpperInvariant())))
                .Select(pair => Unmeasured(pair.From, pair.To, pair.Figures)) ?? []);
        Rows = [.. rows.OrderBy(row => PlaceOf(row.Source)).ThenBy(row => PlaceOf(row.Destination))];

        int PlaceOf(string region) =>
            regions.FindIndex(known => known.Equals(region, StringComparison.OrdinalIgnoreCase));
    }

    public IReadOnlyList<MatrixRow> Rows { get; }
    public PublishedDelays? Reference { get; }

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

    private MatrixRow RowOf(IReadOnlyList<SavedDelay> runs)
    {
        var (least, most) = (Merged(runs.Select(run => run.Least)), Merged(runs.Select(run => run.Most)));
        return new MatrixRow
        {
            Source = SourceOf(runs[0]),
            Destination = DestinationOf(runs[0]),
            Measured = DelayFigures.Of(least, Merged(runs.Select(run => run.Middle)), most),
            Least = DelayFigures.Of(least, least, least),
            Most = DelayFigures.Of(most, most, most),
            Published = Reference?.Of(SourceOf(runs[0]), DestinationOf(runs[0])),
            Runs = runs.Count,
            RunsInDoubt = runs.Count(run => run.Record.Partial || run.Record.Verdict.Status != VerdictStatus.Valid),
            Read = runs.Sum(run => run.Summary.Count(Counted.Read) ?? 0),
            NotRead = runs.Sum(run => run.Summary.Count(Counted.Asked) - run.Summary.Count(Counted.Read) ?? 0),
            ClockErrorNs = runs.Max(run => run.Delay.ErrorNs),
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
