using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>What is each connection's own: keys, counts, its end; and connections that do nothing.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class ConnectionChoiceTests : PhaseTest
{
    /// <summary>Were one connection to send more than another, some counters would be too high.</summary>
    [Theory]
    [InlineData("partitioned-each", 40, "1")]
    [InlineData("sequential-each", 10, "4")]
    public void Keys_ByConnection_AreGoneThroughByEach(string keys, int records, string expected)
    {
        var totals = Run(new PhaseOptions
        {
            Mix = [new("incr", 1)],
            Keys = keys,
            KeyForm = "n:{0}",
            Records = records,
            Threads = 2,
            Connections = 2,
            OperationsEach = 10,
            Pipeline = 2,
        });

        totals.Sent.ShouldBe(40);
        Enumerable.Range(0, records).Select(number => Ask("GET", $"n:{number}")).ShouldAllBe(one => one == expected);
    }

    [Fact]
    public void Keys_OfOneOperation_AreDrawnAsItSays()
    {
        var totals = Run(new PhaseOptions
        {
            Mix = [new("set", 1), new("get", 1)],
            MixOrder = MixOrder.Cyclic,
            OperationKeys = [new("set", "sequential"), new("get", "hotspot:0.01,1")],
            Records = 100,
            Connections = 1,
            Operations = 100,
        });

        Ask("DBSIZE").ShouldBe("50", "one record after the other");
        totals.Operations[1].Counts.Hits.ShouldBe(50, "always the first record");
    }

    [Fact]
    public void Connections_ThatAreOpenedAgain_LoseNothing_AndAreNotLost()
    {
        var before = NumberIn("stats", "total_connections_received:");

        var totals = Run(new PhaseOptions
        {
            Mix = [new("set", 1)],
            Connections = 3,
            Operations = 60,
            ReconnectEvery = 2,
        });

        CallsOf("set").ShouldBe(60);
        totals.Progress.Load.ConnectionsLost.ShouldBe(0);
        totals.Progress.Load.Renewed.ShouldBeInRange(27, 30);
        (NumberIn("stats", "total_connections_received:") - before).ShouldBeGreaterThanOrEqualTo(30);
    }

    [Fact]
    public void IdleConnections_AreThereBesideTheOthers_AndWhatTheServerClosedIsCounted()
    {
        using var engine = new RawEngine(Plan(new PhaseOptions
        {
            Mix = [new("ping", 1)],
            Connections = 2,
            IdleConnections = 7,
            Operations = 10,
        }));
        engine.Connect();
        NumberIn("clients", "connected_clients:").ShouldBe(2 + 7 + 1);
        engine.Start(MonotonicClock.NowNs());
        engine.Join();

        engine.Totals().Idle.Opened.ShouldBe(7);
        engine.Totals().Idle.Closed.ShouldBe(0);
        Ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        SpinWait.SpinUntil(() => engine.Totals().Idle.Closed == 7, EngineTest.Limit).ShouldBeTrue();
    }
}
