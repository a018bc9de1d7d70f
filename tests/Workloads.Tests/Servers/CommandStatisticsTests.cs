using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads.Tests.Servers;

public class CommandStatisticsTests
{
    [Fact]
    public void Since_AnEarlierLook_IsTheDifferenceOfEachCommand()
    {
        var before = new CommandStatistics();
        before.TakeInfo("# Commandstats\r\n"
            + "cmdstat_get:calls=10,usec=20,usec_per_call=2.00,rejected_calls=1,failed_calls=0\r\n");
        var after = new CommandStatistics();
        after.TakeInfo("# Commandstats\r\n"
            + "cmdstat_get:calls=110,usec=320,usec_per_call=2.90,rejected_calls=1,failed_calls=2\r\n"
            + "cmdstat_set:calls=5,usec=5,usec_per_call=1.00,rejected_calls=7,failed_calls=0\r\n"
            + "cmdstat_config|get:calls=3,usec=5,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n"
            + "cmdstat_client|setname:calls=3,usec=5,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r\n"
            + "cmdstat_info:calls=2,usec=99,usec_per_call=49.50,rejected_calls=0,failed_calls=0\r\n");

        var uses = after.Since(before).Uses();

        uses.Select(use => use.Command).ShouldBe(["get", "set", "config get"]);
        uses[0].Calls.ShouldBe(100);
        uses[0].MeanMicroseconds.ShouldBe(3);
        uses[0].Failed.ShouldBe(2);
        uses[0].Rejected.ShouldBe(0);
        uses[1].Rejected.ShouldBe(7);
        uses[1].P99Microseconds.ShouldBeNull();
    }

    [Fact]
    public void Add_AnotherServer_SumsCallsAndTimes_OfTheCommandsThatCount()
    {
        var all = new CommandStatistics();
        foreach (var (get, set) in new[] { (100, 7), (300, 9) })
        {
            var server = new CommandStatistics();
            server.TakeInfo($"cmdstat_get:calls={get},usec={2 * get},rejected_calls=1,failed_calls=0\r\n"
                + $"cmdstat_set:calls={set},usec={set},rejected_calls=0,failed_calls=0\r\n");
            all.Add(server, command => command == "get");
        }

        var use = all.Uses().ShouldHaveSingleItem();

        use.Command.ShouldBe("get");
        use.Calls.ShouldBe(400);
        use.Rejected.ShouldBe(2);
        use.MeanMicroseconds.ShouldBe(2);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task CountersThatWereResetDuringAPhase_AreSaidNotToBeKnown(bool isReset)
    {
        await using var server = await RedisServerProcess.Start();
        using var control = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        var observed = new ObservedServers(
            [new(RedisEndpoint.Parse(server.Uri), Patience.Connection, DriverKind.Raw)], new HashSet<string>());

        observed.ReadBefore([]);
        control.Execute("SET", "k", "v");
        if (isReset)
            control.Execute("CONFIG", "RESETSTAT");
        control.Execute("SET", "k", "v");
        observed.ReadAfter([]);

        observed.Missing.ShouldBe(isReset ? ["its counters were reset meanwhile (CONFIG RESETSTAT)"] : []);
        observed.Commands.Where(use => use.Command == "set").Select(use => use.Calls).ShouldBe(isReset ? [] : [2]);
    }

    [Fact]
    public void TakeInfo_OfAnOldServer_HasNoRefusals()
    {
        var statistics = new CommandStatistics();
        // A field that stands there twice is no reason to fail.
        statistics.TakeInfo("cmdstat_get:calls=10,usec=20,usec_per_call=2.00,calls=11\n");

        var use = statistics.Since(new CommandStatistics()).Uses().ShouldHaveSingleItem();

        use.Calls.ShouldBe(10);
        use.Rejected.ShouldBeNull();
    }
}
