namespace RedisLatency.Architecture.References;

/// <summary>Who may know whom. A new project of <c>src</c> gets its line here first.</summary>
internal static class Arrows
{
    private static readonly string[] OfService = ["Messaging", "Metrics", "Redis", "Hosting"];

    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Metrics"] = [],
        ["Redis"] = [],
        ["Server"] = ["Redis"],
        ["Messaging"] = ["Metrics", "Redis"],
        ["Hosting"] = ["Metrics", "Redis", "Server"],
        ["Producer"] = OfService,
        ["Consumer"] = OfService,
        ["Workloads"] = ["Metrics", "Redis", "Hosting"],
        ["Replication"] = ["Metrics", "Redis", "Hosting"],
        ["Lab"] = ["Metrics", "Redis", "Server", "Messaging", "Hosting", "Producer", "Consumer"],
    };

    /// <summary>The projects that have a line.</summary>
    public static IReadOnlyCollection<string> Projects => Allowed.Keys;

    /// <summary>The projects that one may name.</summary>
    public static IReadOnlyList<string> From(string project) => Allowed[project];
}
