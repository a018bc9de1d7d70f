namespace RedisLatency.Replication.Matrix;

/// <summary>Figures that somebody published, to compare with: of their machines, networks and servers.</summary>
/// <param name="Name">What the option <c>--reference</c> calls them.</param>
/// <param name="Source">Whose they are, and of what.</param>
/// <param name="Pairs">The figures of each pair of regions, in the order of the publication.</param>
internal sealed record PublishedDelays(
    string Name, string Source, IReadOnlyList<(string From, string To, DelayFigures Figures)> Pairs)
{
    private static readonly DelayFigures BeijingShanghai = DelayFigures.OfMilliseconds(28.35, 39.0, 54.5);
    private static readonly DelayFigures BeijingShenzhen = DelayFigures.OfMilliseconds(34.2, 69.5, 103.0);
    private static readonly DelayFigures ShanghaiShenzhen = DelayFigures.OfMilliseconds(29.0, 40.6, 61.7);

    /// <summary>All that are built in.</summary>
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

    /// <summary>What is wrong with a name, or null.</summary>
    public static string? Problem(string name) => All.Any(known => known.Name == name)
        ? null
        : $"known are {string.Join(", ", All.Select(known => known.Name))}";

    /// <summary>The figures of a pair, whatever the case of the names; null where none were published.</summary>
    public DelayFigures? Of(string from, string to) => Pairs.FirstOrDefault(pair =>
        pair.From.Equals(from, StringComparison.OrdinalIgnoreCase)
        && pair.To.Equals(to, StringComparison.OrdinalIgnoreCase)).Figures;
}
