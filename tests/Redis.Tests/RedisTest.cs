using RedisLatency.Fixtures;

namespace RedisLatency.Redis.Tests;

/// <summary>What the tests of this project share: a real server, or a reason to skip.</summary>
internal static class RedisTest
{
    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static Task<RedisServerProcess> StartServer(params string[] arguments) =>
        RedisServerProcess.Start("redis-server", arguments);

    /// <summary>
    /// A server of which the test needs nothing special: one that is already there, where it is named.
    /// </summary>
    public static Task<PlainServer> UsePlainServer() => PlainServer.Use(PlainServer.Given);
}
