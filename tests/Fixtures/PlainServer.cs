namespace RedisLatency.Fixtures;

/// <summary>
/// A server for tests that need nothing special of it: the one that <c>REDISLATENCY_TEST_REDIS</c> names (a
/// container's, for instance), else a <c>redis-server</c> process of their own.
/// </summary>
public sealed class PlainServer : IAsyncDisposable
{
    /// <summary>Names the endpoint of a server that is already there.</summary>
    public const string Variable = "REDISLATENCY_TEST_REDIS";

    private readonly RedisServerProcess? _process;

    private PlainServer(string uri, RedisServerProcess? process) => (Uri, _process) = (uri, process);

    /// <summary>The endpoint that was named, or null.</summary>
    public static string? Given =>
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } uri ? uri : null;

    /// <summary>The endpoint as users type it.</summary>
    public string Uri { get; }

    /// <summary>Whether the server was there before.</summary>
    public bool IsGiven => _process is null;

    /// <summary>Takes the server that is named, or starts one.</summary>
    /// <param name="given">The endpoint that was named, or null.</param>
    public static async Task<PlainServer> Use(string? given)
    {
        if (given is not null)
            return new PlainServer(given, null);
        var process = await RedisServerProcess.Start();
        return new PlainServer(process.Uri, process);
    }

    /// <summary>A channel that nobody else uses on a server that others may use too.</summary>
    public static string NewChannel() => $"redislatency-test:{Guid.NewGuid():N}";

    public ValueTask DisposeAsync() => _process?.DisposeAsync() ?? ValueTask.CompletedTask;
}
