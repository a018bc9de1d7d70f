using System.Globalization;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Loads on clusters of server processes, which change meanwhile.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class ClusterTests
{
    private const int Keys = 300;

    [Theory]
    [InlineData(1, 0)]
    [InlineData(8, 0)]
    [InlineData(4, 5_000)]
    public async Task ReshardedAndFailedOver_UnderLoad_NothingIsCountedTwiceOrNotAtAll(int pipeline, double rate)
    {
        // Nobody dies: a server that is held up on a busy machine is not to be taken for dead.
        await using var cluster = await RedisClusterProcesses.Start(new() { NodeTimeout = TimeSpan.FromMinutes(1) });
        using var engine = Begin(Plan(cluster, pipeline, rate));
        RoutingTest.Progress(engine, Keys);
        engine.Totals().Operations.ShouldAllBe(one => one.ErrorReplies.Count == 0);

        var slots = Enumerable.Range(0, 10).Select(SlotOf).ToList();
        foreach (var slot in slots)
        {
            var from = cluster.PrimaryOf(slot);
            var to = cluster.Servers.First(server => cluster.ReplicasOf(server).Count > 0 && server != from);
            await cluster.MigrateSlots(from, to, slot, slot);
        }

        RoutingTest.Progress(engine, Keys);
        await cluster.Failover(cluster.ReplicasOf(cluster.PrimaryOf(slots[0]))[0]);
        RoutingTest.WaitUntil(
            engine, "the new primary is in a map", () => engine.Totals().Facts.PrimaryChanges.Count > 0);
        RoutingTest.Progress(engine, Keys);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Operations.ShouldAllBe(one => one.Counts.Errors == 0, RoutingTest.Describe(engine));
        totals.Moved.ShouldBeGreaterThan(0);
        totals.MapsTaken.ShouldBeGreaterThan(0);
        totals.Facts.PrimaryChanges.ShouldHaveSingleItem().To.ShouldBe(
            $"127.0.0.1:{cluster.PrimaryOf(slots[0]).Port}");

        // What the servers say that they have executed, and what came of it.
        var (get, incr) = (totals.Operations[0], totals.Operations[1]);
        var executed = cluster.Servers.Sum(server => Calls(cluster, server, "get"));
        executed.ShouldBeInRange(get.Counts.Completed, get.Counts.Completed + get.Counts.Lost);
        Sum(cluster).ShouldBeInRange(incr.Counts.Completed, incr.Counts.Completed + incr.Counts.Lost);
    }

    [Fact]
    public async Task PrimaryThatDies_IsReplaced_AndTheLoadGoesOn()
    {
        await using var cluster = await RedisClusterProcesses.Start();
        using var engine = Begin(Plan(cluster, 2, 0) with { OnError = ErrorPolicy.Retry, MaximumRetries = 100 });
        RoutingTest.Progress(engine, Keys);

        var promoted = await cluster.KillPrimary(cluster.PrimaryOf(SlotOf(0)));
        var address = $"127.0.0.1:{promoted.Port}";
        RoutingTest.WaitUntil(engine, "the load follows", () => engine.Totals().Facts.Servers.Any(
            node => node.Address == address && node.Writes > 0 && node.Role == "primary"));
        RoutingTest.Progress(engine, Keys);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Progress.Load.ConnectionsLost.ShouldBeGreaterThan(0);
        totals.Facts.PrimaryChanges.ShouldContain(change => change.To == address);
    }

    /// <summary>
    /// The callers of a shard that is away wait for it, and their wait is measured; those of the others go on.
    /// </summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(4, 4)]
    public async Task ShardThatIsAway_IsWaitedFor_WhileTheOthersGoOn(int connections, int pipeline)
    {
        await using var cluster = await RedisClusterProcesses.Start(new()
        {
            ReplicasPerPrimary = 0,
            NodeTimeout = TimeSpan.FromMinutes(5),
        });
        using var engine = Begin(Plan(cluster, pipeline, 0) with
        {
            ConnectionsPerThread = connections,
            // A primary that has just come back says CLUSTERDOWN for two seconds.
            OnError = ErrorPolicy.Retry,
            MaximumRetries = 1_000,
        });
        RoutingTest.Progress(engine, Keys);
        var away = cluster.PrimaryOf(SlotOf(0));

        await away.Kill();
        RoutingTest.WaitUntil(engine, "it is lost", () => engine.Totals().Progress.Load.ConnectionsLost >= connections);
        var lost = MonotonicClock.NowNs();
        RoutingTest.Progress(engine, 10 * Keys);
        var outage = MonotonicClock.NowNs() - lost;
        await away.Restart();
        RoutingTest.WaitUntil(engine, "it is back", () => engine.Totals().Progress.Load.Reconnected >= connections);
        RoutingTest.Progress(engine, Keys);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Lost.ShouldBeNull();
        totals.Operations.ShouldAllBe(one => one.Counts.Errors == 0 && one.Counts.TimedOut == 0,
            RoutingTest.Describe(engine));
        var latencies = new EngineLatencies(2);
        latencies.Take(engine);
        latencies.Service.Max(one => one.Max).ShouldBeGreaterThanOrEqualTo(outage);
        // As many as a third of those in flight, so they cannot hide in a percentile where few are in flight.
        latencies.Service.Sum(one => one.CountBetween(outage, one.HighestTrackable))
            .ShouldBeGreaterThanOrEqualTo(Math.Max(1, connections * pipeline / 3));
    }

    [Fact]
    public async Task ShardThatStaysAway_IsGivenUpAsLost()
    {
        await using var cluster = await RedisClusterProcesses.Start(new()
        {
            ReplicasPerPrimary = 0,
            NodeTimeout = TimeSpan.FromMinutes(5),
        });
        using var engine = Begin(Plan(cluster, 1, 0) with { ReconnectLimit = TimeSpan.FromSeconds(0.5) });
        RoutingTest.Progress(engine, Keys);
        var lost = cluster.PrimaryOf(SlotOf(0));

        await lost.Kill();
        engine.Join();

        engine.Failure.ShouldBeAssignableTo<RedisException>().ShouldNotBeNull().Message
            .ShouldContain($"no connection to 127.0.0.1:{lost.Port} for 0.5 s");
        engine.Totals().ShouldBeBalanced();
    }

    [Fact]
    public void Moved_ChangesTheRouteOfItsSlotAtOnce()
    {
        // A map that stays wrong, as that of a cluster whose other nodes have not heard of the change: no operation
        // but the first is led astray, however long it takes to mend.
        using var other = FakeServer.Start((client, _) => Serve(client, _ => "+OK\r\n"));
        var (seen, wrong) = (0, 0);
        FakeServer? first = null;
        using (first = FakeServer.Start((client, _) => Serve(client, request =>
        {
            if (request.Contains("CLUSTER", StringComparison.Ordinal))
            {
                seen++;
                return Map(PortOf(first!), PortOf(other));
            }

            if (request.Contains("CLIENT", StringComparison.Ordinal))
                return "+OK\r\n";
            wrong++;
            return $"-MOVED {KeySlot.Of("k0"u8)} 127.0.0.1:{PortOf(other)}\r\n";
        })))
        {
            var plan = EngineTest.Plan(first.Uri, EngineTest.Mix("set"), keys: 1) with
            {
                IsCluster = true,
                Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
                ConnectionsPerThread = 1,
                Operations = 2_000,
            };

            var totals = EngineTest.Run(plan);

            totals.Completed.ShouldBe(2_000);
            // Once before, and at most once after each map that was asked for and was wrong again.
            wrong.ShouldBeInRange(1, seen);
            totals.Moved.ShouldBe(wrong);
        }
    }

    /// <summary>
    /// Redirected for longer than the limit, and the last time answered after less than it: the connection is healthy.
    /// </summary>
    [Fact]
    public void TimeLimit_OfAnOperationThatIsRedirected_RunsFromItsLatestSend()
    {
        const int Redirections = 13;
        var limit = TimeSpan.FromSeconds(1);
        var (moved, first, answered) = (0, 0L, 0L);
        FakeServer? server = null;
        using (server = FakeServer.Start((client, _) => Serve(client, request =>
        {
            if (request.Contains("CLUSTER", StringComparison.Ordinal))
                return Map(PortOf(server!), PortOf(server!));
            if (request.Contains("CLIENT", StringComparison.Ordinal))
                return "+OK\r\n";
            first = moved == 0 ? MonotonicClock.NowNs() : first;
            // The last is long enough for the worker to look at its limit several times.
            Pacer.WaitUntil(MonotonicClock.NowNs() + (moved == Redirections ? 400_000_000 : 80_000_000));
            answered = MonotonicClock.NowNs();
            return moved++ < Redirections ? $"-MOVED {KeySlot.Of("k0"u8)} 127.0.0.1:{PortOf(server!)}\r\n" : "+OK\r\n";
        })))
        {
            var totals = EngineTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("set"), keys: 1) with
            {
                IsCluster = true,
                Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
                ConnectionsPerThread = 1,
                Operations = 1,
                CommandTimeout = limit,
                DrainLimit = EngineTest.Limit,
            });

            (answered - first).ShouldBeGreaterThan((long)limit.TotalNanoseconds, "else nothing is tested");
            totals.Moved.ShouldBe(Redirections);
            (totals.Completed, totals.Progress.Load.ConnectionsLost, totals.Operations[0].Counts.TimedOut)
                .ShouldBe((1, 0, 0));
        }
    }

    private static RawEngine Begin(EnginePlan plan)
    {
        var engine = new RawEngine(plan);
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        return engine;
    }

    private static EnginePlan Plan(RedisClusterProcesses cluster, int pipeline, double rate) =>
        EngineTest.Plan(cluster.Uri, EngineTest.Mix("get", "incr"), Keys) with
        {
            Endpoints = [RedisEndpoint.Parse(cluster.Uri)],
            Connection = Patience.Connection,
            IsCluster = true,
            Pipeline = pipeline,
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
            ReconnectLimit = ServiceProcess.LimitAgainstHangs,
            DrainLimit = ServiceProcess.LimitAgainstHangs,
        };

    private static int SlotOf(int key) => KeySlot.Of(System.Text.Encoding.UTF8.GetBytes($"k{key}"));

    private static long Calls(RedisClusterProcesses cluster, RedisServerProcess server, string command)
    {
        using var connection = cluster.Open(server);
        return RoutingTest.Calls(connection, command);
    }

    /// <summary>The sum of all counters.</summary>
    private static long Sum(RedisClusterProcesses cluster)
    {
        var sum = 0L;
        for (var key = 0; key < Keys; key++)
        {
            using var connection = cluster.Open(cluster.PrimaryOf(SlotOf(key)));
            sum += long.Parse(connection.Execute("GET", $"k{key}").Text, CultureInfo.InvariantCulture);
        }

        return sum;
    }

    private static int PortOf(FakeServer server) => RedisEndpoint.Parse(server.Uri).Port;

    private static void Serve(Socket client, Func<string, string> answer)
    {
        var buffer = new byte[64 << 10];
        while (client.Receive(buffer) is > 0 and var count)
            FakeServer.Say(client, answer(System.Text.Encoding.UTF8.GetString(buffer, 0, count)));
    }

    private static string Map(int first, int other) =>
        $"*2\r\n*3\r\n:0\r\n:16382\r\n*2\r\n$9\r\n127.0.0.1\r\n:{first}\r\n"
        + $"*3\r\n:16383\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:{other}\r\n";
}
