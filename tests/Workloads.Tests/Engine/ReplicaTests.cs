using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Reads from replicas, held against what the servers themselves say that they have executed.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class ReplicaTests
{
    private const int Keys = 300;
    private const int Operations = 2_000;

    [Theory]
    [InlineData("Replica")]
    [InlineData("Any")]
    public async Task Cluster_IsReadFromItsReplicas_AndWrittenToItsPrimaries(string from)
    {
        await using var cluster = await RedisClusterProcesses.Start();

        var totals = EngineTest.Run(Plan(cluster.Uri, from) with { IsCluster = true });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBe(Operations);
        var (gets, sets) = (totals.Operations[0].Counts.Completed, totals.Operations[1].Counts.Completed);
        var primaries = cluster.Servers.Take(3).ToList();
        var replicas = cluster.Servers.Skip(3).ToList();
        replicas.ShouldAllBe(server => Calls(server, "get") > 0);
        replicas.Concat(primaries).Sum(server => Calls(server, "get")).ShouldBe(gets);
        primaries.ShouldAllBe(server => Calls(server, "set") > 0);
        primaries.Sum(server => Calls(server, "set")).ShouldBe(sets);
        if (from == "Replica")
            primaries.ShouldAllBe(server => Calls(server, "get") == 0);
        else
            primaries.ShouldAllBe(server => Calls(server, "get") > 0);
        AgreesWithTheServers(totals, cluster.Servers);
    }

    [Theory]
    [InlineData("Replica", 0)]
    [InlineData("Any", 0)]
    [InlineData("Replica", 1)]
    public async Task PrimaryWithReplicas_IsReadFromThemInTurn_WhicheverOfThemIsNamed(string from, int named)
    {
        await using var service = await StartService();
        var endpoint = service.Servers[named].Uri;

        var totals = EngineTest.Run(Plan(endpoint, from));

        ShouldSpread(service, totals, from);
    }

    [Fact]
    public async Task Service_IsReadFromItsReplicasInTurn()
    {
        await using var service = await StartService(sentinels: 1);

        var totals = EngineTest.Run(Plan(service.Uri(), "Replica"));

        ShouldSpread(service, totals, "Replica");
    }

    [Fact]
    public async Task ReplicasThatDie_LeaveTheirReadsToTheOthers_AndAtLastToThePrimary()
    {
        await using var service = await StartService();
        using var engine = new RawEngine(
            Plan(service.Servers[0].Uri, "Replica") with { Operations = null, Pipeline = 4 });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        RoutingTest.Progress(engine, Keys);

        await service.Servers[1].Kill();
        RoutingTest.Progress(engine, Keys);
        engine.Totals().Progress.Load.ReadsOfPrimary.ShouldBe(0);
        await service.Servers[1].Restart();
        ShouldBeReadAgain(engine, service, 1);
        engine.Totals().Progress.Load.ReadsOfPrimary.ShouldBe(0);
        await service.Servers[1].Kill();
        await service.Servers[2].Kill();
        RoutingTest.WaitUntil(
            engine, "the primary is read from", () => ReadsOf(engine.Totals(), service, 0) > 0);
        await service.Servers[2].Restart();
        ShouldBeReadAgain(engine, service, 2);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        engine.Totals().ShouldBeBalanced();
        engine.Totals().Operations[0].Counts.Lost.ShouldBeGreaterThan(0);
        engine.Totals().Progress.Load.ReadsOfPrimary.ShouldBe(ReadsOf(engine.Totals(), service, 0));
    }

    [Theory]
    [InlineData("Replica", "127.0.0.1:{0} has no replica to read from")]
    [InlineData("Any", "there is no replica to read from")]
    public async Task PrimaryWithoutReplicas_IsRefused(string from, string reason)
    {
        await using var server = await RedisServerProcess.Start();

        var problem = Should.Throw<RedisConnectException>(() => new RawEngine(Plan(server.Uri, from)));

        problem.Reason.ShouldBe(ConnectFailure.NoFittingServer);
        problem.Message.ShouldContain(
            string.Format(System.Globalization.CultureInfo.InvariantCulture, reason, server.Port));
    }

    [Fact]
    public async Task ShardsWithoutReplicas_AreRefused_EachByItsName()
    {
        await using var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 0 });

        var problem = Should.Throw<RedisConnectException>(
            () => new RawEngine(Plan(cluster.Uri, "Replica") with { IsCluster = true }));

        problem.Message.ShouldContain("have no replica to read from");
        cluster.Servers.ShouldAllBe(server => problem.Message.Contains($"127.0.0.1:{server.Port}"));
    }

    [Theory]
    [InlineData("GET __key__", true)]
    [InlineData("HGETALL __key__", true)]
    [InlineData("PFCOUNT __key__", true)]
    [InlineData("XPENDING __key__ group", true)]
    [InlineData("XREAD STREAMS __key__ 0", true)]
    [InlineData("OBJECT ENCODING __key__", true)]
    [InlineData("XGROUP DESTROY __key__ group", false)]
    [InlineData("DBSIZE", false)]
    [InlineData("GETDEL __key__", false)]
    [InlineData("GETEX __key__ EX 60", false)]
    [InlineData("LPOP __key__", false)]
    [InlineData("MULTI ; GET __key__ ; EXEC", false)]
    [InlineData("FOO __key__", false)]
    public void Commands_OnlyReadIfNothingIsChangedByThem(string text, bool onlyReads) =>
        CommandTemplate.Parse(text).OnlyReads.ShouldBe(onlyReads);

    [Theory]
    [InlineData("scan", true)]
    [InlineData("mget", true)]
    [InlineData("rmw", false)]
    [InlineData("evalsha", false)]
    public void NamedOperations_OnlyReadIfNothingIsChangedByThem(string name, bool onlyReads) =>
        BuiltInCommand.Named(name).OnlyReads.ShouldBe(onlyReads);

    private static Task<SentinelProcesses> StartService(int sentinels = 0) =>
        SentinelProcesses.Start(new() { Replicas = 2, Sentinels = sentinels });

    private static EnginePlan Plan(string endpoint, string from) =>
        EngineTest.Plan("redis://unused", EngineTest.Mix("get", "set"), Keys) with
        {
            Endpoints = [RedisEndpoint.Parse(endpoint)],
            Connection = Patience.Connection,
            ReadFrom = Enum.Parse<ReadPreference>(from),
            Operations = Operations,
            ReconnectLimit = ServiceProcess.LimitAgainstHangs,
        };

    private static void ShouldSpread(SentinelProcesses service, EngineTotals totals, string from)
    {
        totals.ShouldBeBalanced();
        var (gets, sets) = (totals.Operations[0].Counts.Completed, totals.Operations[1].Counts.Completed);
        (gets + sets).ShouldBe(Operations);
        var calls = service.Servers.Select(server => Calls(server, "get")).ToList();
        calls.Sum().ShouldBe(gets);
        Calls(service.Servers[0], "set").ShouldBe(sets);
        // In turn: none has more than one more than another.
        var readers = from == "Any" ? calls : calls[1..];
        readers.Max().ShouldBeLessThanOrEqualTo(readers.Min() + 1);
        readers.Sum().ShouldBe(gets);
        AgreesWithTheServers(totals, service.Servers);
    }

    private static void AgreesWithTheServers(EngineTotals totals, IReadOnlyList<RedisServerProcess> servers)
    {
        totals.Facts.Servers.Count.ShouldBe(servers.Count);
        foreach (var server in servers)
        {
            var node = totals.Facts.Servers.Single(one => one.Address == $"127.0.0.1:{server.Port}");
            node.Reads.ShouldBe(Calls(server, "get"));
            node.Writes.ShouldBe(node.Role == "primary" ? Calls(server, "set") : 0);
        }
    }

    private static void ShouldBeReadAgain(RawEngine engine, SentinelProcesses service, int server)
    {
        var before = ReadsOf(engine.Totals(), service, server);
        RoutingTest.WaitUntil(
            engine, $"server {server} is read from again", () => ReadsOf(engine.Totals(), service, server) > before);
    }

    private static long ReadsOf(EngineTotals totals, SentinelProcesses service, int server) => totals.Facts.Servers
        .Single(node => node.Address == $"127.0.0.1:{service.Servers[server].Port}").Reads;

    private static long Calls(RedisServerProcess server, string command)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return RoutingTest.Calls(connection, command);
    }
}
