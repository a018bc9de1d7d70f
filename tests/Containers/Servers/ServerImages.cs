namespace RedisLatency.Containers.Servers;

/// <summary>The images that tests take their servers from.</summary>
internal static class ServerImages
{
    /// <summary>Names them, separated by commas.</summary>
    public const string Variable = "REDISLATENCY_TEST_IMAGES";

    private const string Standard = "redis:8,valkey/valkey:9";

    /// <summary>All of them, as rows of a theory.</summary>
    public static TheoryData<string> All { get; } =
    [
        .. (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } chosen ? chosen : Standard)
            .Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
    ];

    /// <summary>The first of them, for what does not depend on the server.</summary>
    public static string First => All.First().Data;

    /// <summary>Whether it is nowhere but on this machine, by its name: then it is never pulled.</summary>
    public static bool IsLocal(string image) => image.StartsWith("localhost/", StringComparison.Ordinal);
}
