using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Metrics.Tests.HostClocks;

/// <summary>
/// Against a real chronyd that follows another one on the loopback interface and touches nobody's clock (-x).
/// </summary>
public sealed class ChronyDaemonTests
{
    [Fact]
    public async Task Ask_OfARealDaemon_SaysWhomItFollowsAndOneOfItsOwnHostIsNobodysUtc()
    {
        var serverPort = ChronyProcess.FreePort();
        var commandPort = ChronyProcess.FreePort();
        await using var server = new ChronyProcess($"""
            cmdport 0
            port {serverPort}
            allow 127.0.0.1
            local stratum 3
            """);
        await using var follower = new ChronyProcess($"""
            cmdport {commandPort}
            port 0
            server 127.0.0.1 port {serverPort} iburst minpoll 0 maxpoll 0
            """);
        await follower.SaysOnce("Selected source");
        using var byPort = new ChronyTracking(commandPort, "/nowhere");
        using var followed = new ChronyTracking(ChronyProcess.FreePort(), follower.Folder);
        using var local = new ChronyTracking(ChronyProcess.FreePort(), server.Folder);

        foreach (var tracking in new[] { byPort, followed })
        {
            // All that it says is right but for whom it follows: this host's own clock, by way of the other daemon.
            tracking.Ask().Reply.ShouldNotBeNull().Stratum.ShouldBe(4);
            Judge(tracking).Refusal.ShouldNotBeNull().ShouldContain("own host");
        }

        Judge(local).Refusal.ShouldNotBeNull().ShouldContain("local");
    }

    private static UtcClaim Judge(ChronyTracking tracking) =>
        ChronyClaim.Judge(tracking.Ask(), 0, TimeProvider.System.GetUtcNow());
}
