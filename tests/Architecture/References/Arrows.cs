namespace RedisLatency.Architecture.References;

/// <summary>Who may know whom. A new project of <c>src</c> gets its line here first.</summary>
internal static class Arrows
{
    private static readonly string[] OfService = ["Messaging", "Metrics", "Peers", "Redis", "Reports", "Hosting"];

    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Metrics"] = [],
        ["Redis"] = [],
        ["Server"] = ["Redis"],
        ["Reports"] = ["Metrics"],
        ["Peers"] = ["Metrics", "Redis"],
        ["Fleet"] = ["Metrics", "Redis"],
        ["Messaging"] = ["Metrics", "Peers", "Redis"],
        ["Hosting"] = ["Fleet", "Metrics", "Redis", "Server", "Reports"],
        ["Producer"] = OfService,
        ["Consumer"] = OfService,
        ["Workloads"] = ["Metrics", "Redis", "Reports", "Hosting"],
        ["Replication"] = ["Metrics", "Peers", "Redis", "Reports", "Hosting"],
        ["Sync"] = ["Metrics", "Redis", "Reports", "Hosting"],
        ["Tool"] =
        [
            "Producer", "Consumer", "Workloads", "Replication", "Sync", "Lab", "Fleet", "Redis", "Reports", "Hosting",
        ],
        ["Lab"] =
            ["Metrics", "Redis", "Server", "Peers", "Messaging", "Reports", "Hosting", "Producer", "Consumer"],
    };

    /// <summary>The projects that have a line.</summary>
    public static IReadOnlyCollection<string> Projects => Allowed.Keys;

    /// <summary>The projects that one may name.</summary>
    public static IReadOnlyList<string> From(string project) => Allowed[project];
}
