using RedisLatency.Fixtures;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

[Collection(nameof(ProcessesCollection))]
public sealed class ManyConnectionsTests
{
    [Fact]
    public async Task TenThousandConnections_AreDriven()
    {
        Assert.SkipWhen(ReadinessPoller.IsPortable, "The portable poller's cost grows with the connections.");
        var limit = OpenFileLimit.Read(File.ReadLines("/proc/self/limits"));
        Assert.SkipWhen(limit < 10_500, $"this process may have {limit} open files only.");
        await using var server = await RedisServerProcess.Start("redis-server", "--maxclients", "10100");

        var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("incr"), keys: 1) with
        {
            Connection = Patience.Connection,
            Threads = 2,
            ConnectionsPerThread = 5_000,
            Operations = 50_000,
            DrainLimit = ServiceProcess.LimitAgainstHangs,
        });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBe(50_000);
        totals.Progress.Load.ConnectionsLost.ShouldBe(0);
    }

    [Theory]
    [InlineData(900, 92, 1024, true)]
    [InlineData(901, 92, 1024, false)]
    public void Sockets_AreOpenedWhereTheLimitLeavesRoom(long sockets, long open, long most, bool isEnough)
    {
        var problem = OpenFileLimit.WhyNot(sockets, open, most);

        (problem is null).ShouldBe(isEnough);
        if (problem is not null)
        {
            problem.ShouldContain("may have (1,024, 92 of them in use)");
            problem.ShouldContain("ulimit -n 1025 ");
        }
    }

    [Theory]
    [InlineData("Max open files            1024                 4096                 files     ", 1024)]
    [InlineData("Max open files            unlimited            unlimited            files     ", null)]
    [InlineData("Max processes             1024                 4096                 processes ", null)]
    public void Limit_IsTheOneThatHolds(string line, int? most) => OpenFileLimit.Read([line]).ShouldBe(most);
}
