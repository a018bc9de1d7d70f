using System.Globalization;
using System.Net.Sockets;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>An operation is drawn once: what is sent again is the same, and its server is known before it goes.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class RepeatedTests
{
    private const int Enough = 2_000;

    // Each operation of one writes a key of its own, with its name in it: numbers and keys count up.
    private static readonly (string Name, string Command)[] Templates =
    [
        ("whole", "SET whole:__key__ v"),
        ("number", "SET number:__rand_int__ v"),
        ("tagged", "SET {tagged}:__rand_int__ v"),
        ("marked", "SET marked:__tag__:__rand_int__ v"),
        ("behind", "SET __rand_int__{behind__rand_int__} __data__"),
        ("range", "APPEND range:__range:1..900000000000000000__ x"),
        ("script", "EVAL \"return redis.call('SET', KEYS[1], ARGV[1])\" 1 script:__rand_int__ __rand_int__"),
        ("stream", "XADD stream:__rand_int__ * field __data__"),
        ("transaction", "MULTI ; SETRANGE transaction:__rand_int__ 3 __rand_int__ ; EXEC"),
        ("pair", "MSET pair{__key__}0 __rand_int__ pair{__key__}1 v"),
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public async Task EveryTemplate_WhileSlotsMove_IsDoneOnce_AndRedirectedOnceAtMost(int pipeline)
    {
        await using var cluster = await RedisClusterProcesses.Start(new()
        {
            ReplicasPerPrimary = 0,
            NodeTimeout = TimeSpan.FromMinutes(1),
        });
        // The pair's two keys lie in two slots: an error with a name, and no redirection.
        MixedOperation[] operations =
        [
            .. Templates.Select((one, place) =>
                new MixedOperation(one.Name, CommandTemplate.Parse(one.Command), KeyStream: place)),
            new("own", BuiltInCommand.Named("rmw"), KeyStream: Templates.Length),
            new("counter", CommandTemplate.Parse("INCR counter")),
            new("ping", CommandTemplate.Parse("PING")),
        ];
        using var engine = Begin(cluster, operations, pipeline);

        RoutingTest.WaitUntil(engine, "all have been sent", () => engine.Totals().Completed >= Enough);
        engine.Totals().Operations.Sum(one => one.Counts.Redirected).ShouldBe(0, RoutingTest.Describe(engine));
        List<int> moved = [.. Enumerable.Range(0, 60).Select(place => place * 270), KeySlot.Of("tagged"u8)];
        foreach (var slot in moved)
        {
            var from = cluster.PrimaryOf(slot);
            await cluster.MigrateSlots(from, cluster.Servers.First(server => server != from), slot, slot);
        }

        var reached = engine.Totals().Completed + Enough;
        RoutingTest.WaitUntil(engine, "the load goes on", () => engine.Totals().Completed >= reached);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        var keys = cluster.Servers.SelectMany(server => KeysOf(cluster, server)).ToList();
        foreach (var (operation, result) in operations.Zip(totals.Operations))
        {
            result.Counts.Sent.ShouldBe(result.Counts.Completed + result.Counts.Errors, RoutingTest.Describe(engine));
            result.ErrorReplies.GetValueOrDefault("CROSSSLOT").ShouldBe(
                operation.Name == "pair" ? result.Counts.Sent : 0);
            result.Counts.Errors.ShouldBe(operation.Name == "pair" ? result.Counts.Sent : 0,
                RoutingTest.Describe(engine));
            if (operation.Name is not ("counter" or "ping"))
                keys.LongCount(key => IsOf(operation.Name, key)).ShouldBe(result.Counts.Completed, operation.Name);
        }

        Count(cluster).ShouldBe(totals.Operations[^2].Counts.Completed);
        var redirected = totals.Operations.Sum(one => one.Counts.Redirected);
        redirected.ShouldBeInRange(1, keys.Count(key => moved.Contains(KeySlot.Of(Encoding.UTF8.GetBytes(key)))));
        cluster.Servers.Sum(server => Redirections(cluster, server)).ShouldBe(redirected);
    }

    [Fact]
    public void SentAgain_ItIsTheSameToTheByte()
    {
        var seen = new List<string>();
        using var server = FakeServer.Start((client, _) => Serve(client, request =>
        {
            seen.Add(request);
            return seen.Count < 4 ? "-LOADING wait\r\n" : ":1\r\n";
        }));
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, 1_000_000),
            Form = KeyForm.Parse("memtier"),
            Content = ValueContent.Parse("random"),
        };

        var totals = EngineTest.Run(
            EngineTest.Plan(
                server.Uri,
                new([new("hset", CommandTemplate.Parse("HSET __key__ __rand_int__ __data__ __range:1..99999__ x"))]))
            with
            {
                Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
                Inputs = keys.Create,
                ConnectionsPerThread = 1,
                Operations = 1,
                OnError = ErrorPolicy.Retry,
            });

        totals.Completed.ShouldBe(1);
        seen.Count.ShouldBe(4);
        seen.Distinct().ShouldHaveSingleItem();
    }

    private static RawEngine Begin(RedisClusterProcesses cluster, MixedOperation[] operations, int pipeline)
    {
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, 100_000_000),
            Streams = [.. operations.Select(_ => KeyDistribution.Parse("sequential"))],
            Form = KeyForm.Parse("own:{0}"),
        };
        var engine = new RawEngine(new EnginePlan
        {
            Endpoints = [RedisEndpoint.Parse(cluster.Uri)],
            Connection = Patience.Connection,
            IsCluster = true,
            HasEveryKeyOnce = true,
            Mix = new OperationMix(operations, isCyclic: true),
            Inputs = keys.Create,
            ConnectionsPerThread = 4,
            Pipeline = pipeline,
            ReconnectLimit = ServiceProcess.LimitAgainstHangs,
            DrainLimit = ServiceProcess.LimitAgainstHangs,
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        return engine;
    }

    private static bool IsOf(string name, string key) => key.StartsWith(name, StringComparison.Ordinal)
        || key.Contains($"{{{name}", StringComparison.Ordinal);

    private static HashSet<string> KeysOf(RedisClusterProcesses cluster, RedisServerProcess server)
    {
        using var connection = cluster.Open(server);
        var (keys, place) = (new HashSet<string>(), "0");
        do
        {
            var reply = connection.Execute("SCAN", place, "COUNT", "500");
            place = reply.Items[0].Text;
            keys.UnionWith(reply.Items[1].Items.Select(key => key.Text));
        }
        while (place != "0");
        return keys;
    }

    private static long Count(RedisClusterProcesses cluster)
    {
        using var connection = cluster.Open(cluster.PrimaryOf(KeySlot.Of("counter"u8)));
        return long.Parse(connection.Execute("GET", "counter").Text, CultureInfo.InvariantCulture);
    }

    // As the servers have counted them.
    private static long Redirections(RedisClusterProcesses cluster, RedisServerProcess server)
    {
        using var connection = cluster.Open(server);
        return connection.Execute("INFO", "errorstats").Text.Split('\n')
            .Where(line => line.StartsWith("errorstat_MOVED:", StringComparison.Ordinal)
                || line.StartsWith("errorstat_ASK:", StringComparison.Ordinal))
            .Sum(line => long.Parse(line.Split("count=")[1], CultureInfo.InvariantCulture));
    }

    private static void Serve(Socket client, Func<string, string> answer)
    {
        var buffer = new byte[64 << 10];
        while (client.Receive(buffer) is > 0 and var count)
            FakeServer.Say(client, answer(Encoding.UTF8.GetString(buffer, 0, count)));
    }
}
