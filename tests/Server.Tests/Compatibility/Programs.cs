using RedisLatency.Fixtures;

namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>The programs of a Redis installation that the server is held against.</summary>
internal static class Programs
{
    /// <summary>Skips the test where the program is missing.</summary>
    public static void Require(string program)
    {
        var reason = ServerRequirement.ReasonToSkip(program);
        Assert.SkipWhen(reason is not null, reason ?? string.Empty);
    }
}
