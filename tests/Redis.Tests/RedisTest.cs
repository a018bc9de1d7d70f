using RedisLatency.Fixtures;

namespace RedisLatency.Redis.Tests;

/// <summary>What the tests of this project share: a real server, or a reason to skip.</summary>
internal static class RedisTest
{
    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static Task<RedisServerProcess> StartServer(params string[] arguments)
    {
        Require("redis-server");
        return RedisServerProcess.Start("redis-server", arguments);
    }

    /// <summary>
    /// A server of which the test needs nothing special: one that is already there, where it is named.
    /// </summary>
    public static Task<PlainServer> UsePlainServer()
    {
        var reason = PlainServer.ReasonToSkip(PlainServer.Given);
        Assert.SkipWhen(reason is not null, reason ?? string.Empty);
        return PlainServer.Use(PlainServer.Given);
    }

    public static void Require(string program)
    {
        var reason = ServerRequirement.ReasonToSkip(program);
        Assert.SkipWhen(reason is not null, reason ?? string.Empty);
    }
}
