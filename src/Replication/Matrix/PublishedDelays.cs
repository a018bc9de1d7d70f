namespace RedisLatency.Replication.Matrix;

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
