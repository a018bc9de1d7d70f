using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Engine;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Tests.Lanes;

/// <summary>
/// Both lanes carry out the same plan: what they count, and what the server has afterwards, is the same.
/// </summary>
public sealed class SameWorkloadTests
{
    [Theory]
    [InlineData("set", "get", "mget:3", "del")]
    [InlineData("append", "getrange:9", "setrange:3", "incr-of-others")]
    [InlineData("rmw", "scan:7", "insert")]
    [InlineData("mset:4", "getex:60", "setex:100", "getdel", "exists")]
    [InlineData("multi", "evalsha", "publish", "ping")]
    [InlineData("pair", "rand")]
    public async Task OneCaller_DoesTheSameInEitherLane(params string[] names)
    {
        var (counted, digest) = await Outcome(names, plan => new RawEngine(plan));
        var (countedByClient, digestOfClient) = await Outcome(names, plan => new ClientEngine(plan));

        countedByClient.ShouldBe(counted);
        digestOfClient.ShouldBe(digest);
        counted.Length.ShouldBe(names.Length);
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 3, 1)]
    [InlineData(1, 10, 5)]
    public async Task ManyCallers_CountTheSame_OnRecordsThatDoNotChange(int threads, int connections, int pipeline)
    {
        await using var server = await LaneTest.StartServer();
        var inputs = Keys("deterministic");
        var loading = Plan(server.Uri, Mix(["set"]), inputs) with { Operations = 300 };
        LaneTest.Run(loading);
        var plan = Plan(server.Uri, Mix(["get", "mget:3", "scan:5"]), inputs with { Seed = 7 }) with
        {
            Threads = threads,
            ConnectionsPerThread = connections,
            Pipeline = pipeline,
            Operations = 3_001,
            Verify = true,
        };

        var raw = EngineTest.Run(plan);
        var latencies = new EngineLatencies(3);
        var client = LaneTest.Run(plan, latencies);

        CountsOf(client).ShouldBe(CountsOf(raw));
        client.Completed.ShouldBe(3_001);
        client.Operations[0].Counts.Misses.ShouldBeGreaterThan(0);
        // Of the records that are said to be there only some were written; what is there is right.
        client.Operations.Select(operation => operation.Counts.Mismatched)
            .ShouldBe([client.Operations[0].Counts.Misses, 0, 0]);
        raw.Operations.Sum(operation => operation.Counts.Mismatched).ShouldBe(raw.Operations[0].Counts.Misses);
        latencies.Service.Sum(histogram => histogram.TotalCount).ShouldBe(3_001);
    }

    /// <summary>What the server itself counts as misses is the measure.</summary>
    [Theory]
    [InlineData("getrange")]
    [InlineData("exists")]
    [InlineData("STRLEN __key__")]
    [InlineData("SUBSTR __key__ 0 2")]
    public async Task ReadsThatAreAnsweredWithoutANull_MissWhatIsNotThere(string command)
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "SET", "k0", "vvvvvvvv");
        var template = command.Contains('_', StringComparison.Ordinal)
            ? CommandTemplate.Parse(command)
            : BuiltInCommand.Named(command);
        var plan = EngineTest.Plan(server.Uri, new([new("read", template)]), keys: 4) with { Operations = 400 };

        foreach (var lane in new[] { nameof(RawEngine), nameof(ClientEngine) })
        {
            LaneTest.Ask(server, "CONFIG", "RESETSTAT");
            using var engine = EngineTest.Create(lane, plan);
            var read = EngineTest.RunToItsEnd(engine).Operations[0];
            LaneTest.Ask(server, "INFO", "stats").ShouldContain("keyspace_misses:300");
            (read.Counts.Hits, read.Counts.Misses).ShouldBe((100, 300), lane);
        }
    }

    [Fact]
    public async Task ValuesThatSomebodyElseWrote_AreFound()
    {
        await using var server = await LaneTest.StartServer();
        LaneTest.Ask(server, "MSET", "k0", "vvvvvvvv", "k1", "something else");

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("get"), keys: 4) with
        {
            Operations = 400,
            Verify = true,
        });

        var get = totals.Operations[0];
        (get.Counts.Hits, get.Counts.Misses, get.Counts.Mismatched).ShouldBe((200, 200, 100));
    }

    private static async Task<(string[] Counts, string Digest)> Outcome(
        string[] names, Func<EnginePlan, LoadEngine> create)
    {
        await using var server = await LaneTest.StartServer("--enable-debug-command", "yes");
        LaneTest.Ask(server, "SET", "counter", "1");
        using var engine = create(Plan(server.Uri, Mix(names), Keys("random")) with { Operations = 1_500 });

        var totals = EngineTest.RunToItsEnd(engine);

        totals.Operations.Sum(operation => operation.Counts.Errors).ShouldBe(
            0, string.Join(", ", totals.Operations.SelectMany(operation => operation.ErrorExamples)));
        return ([.. CountsOf(totals)], LaneTest.Ask(server, "DEBUG", "DIGEST"));
    }

    private static EnginePlan Plan(string uri, OperationMix mix, DrawnKeys keys) =>
        EngineTest.Plan(uri, mix) with { Inputs = keys.Create, ConnectionsPerThread = 1 };

    private static DrawnKeys Keys(string content)
    {
        var space = new KeySpace(0, 500, 3_000);
        return new DrawnKeys
        {
            Space = space,
            Streams = [KeyDistribution.Parse("zipfian")],
            Inserts = new InsertSequence(space),
            Form = KeyForm.Parse("ycsb"),
            Size = ValueSize.Parse("1..40"),
            Content = ValueContent.Parse(content),
        };
    }

    private static OperationMix Mix(string[] names) => new([.. names.Select(name => name switch
    {
        "incr-of-others" => new MixedOperation(name, CommandTemplate.Parse("INCR counter")),
        "pair" => new MixedOperation(name, CommandTemplate.Parse("SET {__key__}a __data__ ; SET {__key__}b __data__")),
        "rand" => new MixedOperation(name, CommandTemplate.Parse("HSET h:__key__ f__rand_int__ x__data__x")),
        "insert" => new MixedOperation(name, BuiltInCommand.Named(name), 1, DrawnKeys.InsertStream),
        _ => new MixedOperation(name, BuiltInCommand.Named(name)),
    })]);

    private static IEnumerable<string> CountsOf(EngineTotals totals) => totals.Operations.Select(operation =>
        $"{operation.Name}: {operation.Counts.Sent} sent, {operation.Counts.Completed} completed, "
        + $"{operation.Counts.Hits} hits, "
        + $"{operation.Counts.Misses} misses, {operation.Counts.Errors} errors");
}
