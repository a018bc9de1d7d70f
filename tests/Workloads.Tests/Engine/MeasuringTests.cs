using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Server;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class MeasuringTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    public void MeasuredOperations_AllocateNothing(int pipeline)
    {
        Assert.SkipWhen(ReadinessPoller.IsPortable, "The portable poller allocates.");
        using var server = InProcessServer.Start();

        var totals = EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get", "mget:3", "rmw")) with
            {
                Pipeline = pipeline,
                Operations = 20_000,
                WarmUp = TimeSpan.FromSeconds(0.2),
            });

        totals.Completed.ShouldBe(20_000);
        totals.AllocatedBytes.ShouldBe(0);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void ProcessorTime_IsThatOfTheThreads_InTheMeasuredStretch(int threads)
    {
        using var server = InProcessServer.Start();

        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get")) with
        {
            Threads = threads,
            Operations = 5_000,
            WarmUp = TimeSpan.FromSeconds(0.2),
        });

        var most = threads * (MonotonicClock.NowNs() - totals.MeasuredFrom);
        totals.Processor.IsOfProcess.ShouldBe(!OperatingSystem.IsLinux());
        totals.Processor.Nanoseconds.ShouldBeInRange(1, most);
    }

    [Fact]
    public void Insert_OfSeveralKeys_IsRefused()
    {
        var mix = new OperationMix(
            [new("mset", BuiltInCommand.Named("mset:3"), 1, DrawnKeys.InsertStream)]);

        Should.Throw<ArgumentException>(() => EngineTest.Run(EngineTest.Plan("redis://localhost", mix)))
            .Message.ShouldContain("mset inserts several keys");
    }

    [Fact]
    public void WarmUp_CountsNothing_AndIsMadeUpFor()
    {
        // A busy machine may leave no operation to a short warm-up.
        var executed = 0L;
        for (var warmUp = TimeSpan.FromSeconds(0.2); executed <= 1_000; warmUp *= 2)
        {
            warmUp.ShouldBeLessThan(EngineTest.Limit);
            using var server = InProcessServer.Start();
            var latencies = new EngineLatencies(1);

            var totals = EngineTest.Run(
                EngineTest.Plan(server.Endpoint, EngineTest.Mix("incr"), keys: 1) with
                {
                    Operations = 1_000,
                    WarmUp = warmUp,
                },
                latencies);

            (totals.Sent, totals.Completed).ShouldBe((1_000, 1_000));
            latencies.Service[0].TotalCount.ShouldBe(1_000);
            using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection);
            executed = long.Parse(connection.Execute("GET", "k0").Text, CultureInfo.InvariantCulture);
        }
    }

    [Fact]
    public void Reads_AreHitsOrMisses_AndValuesAreCompared()
    {
        using var server = InProcessServer.Start();
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection))
        {
            connection.Execute("SET", "k0", "vvvvvvvv");
            connection.Execute("SET", "k1", "something else");
        }

        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("get"), keys: 4) with
        {
            Operations = 400,
            Verify = true,
        });

        var get = totals.Operations[0];
        (get.Counts.Hits, get.Counts.Misses, get.Counts.Mismatched).ShouldBe((200, 200, 100));
    }

    /// <summary>Of five records one is missing, one is another's; a key that nobody loaded is no fault.</summary>
    [Theory]
    [InlineData("get", nameof(RawEngine))]
    [InlineData("rmw", nameof(RawEngine))]
    [InlineData("get", nameof(ClientEngine))]
    [InlineData("rmw", nameof(ClientEngine))]
    public async Task Verify_FindsWhatIsWrong_AndWhatIsMissing(string operation, string lane)
    {
        await using var server = await RedisServerProcess.Start();
        var keys = new DrawnKeys
        {
            Space = new KeySpace(0, 5),
            Streams = [KeyDistribution.Parse("sequential")],
            Form = KeyForm.Parse("memtier"),
            Content = ValueContent.Parse("deterministic"),
        };
        var load = EngineTest.Plan(server.Uri, EngineTest.Mix("set")) with
        {
            Inputs = keys.Create,
            ConnectionsPerThread = 1,
            Operations = 5,
        };
        EngineTest.Run(load).Completed.ShouldBe(5);
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            connection.Execute("DEL", "memtier-1");
            connection.Execute("SET", "memtier-3", connection.Execute("GET", "memtier-2").Text);
        }

        using var engine = EngineTest.Create(lane, load with
        {
            Mix = EngineTest.Mix(operation),
            Verify = true,
        });
        var totals = EngineTest.RunToItsEnd(engine).Operations[0];

        (totals.Counts.Completed, totals.Counts.Misses, totals.Counts.Mismatched).ShouldBe((5, 1, 2));
    }

    [Fact]
    public void ManyKeys_InOneReply_AreHitsAndMissesEach()
    {
        using var server = InProcessServer.Start();
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection))
            connection.Execute("SET", "k0", "v");

        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("mget:4"), keys: 4) with
        {
            Operations = 100,
        });

        (totals.Operations[0].Counts.Hits, totals.Operations[0].Counts.Misses).ShouldBe((100, 300));
    }

    [Fact]
    public void ValuesLargerThanEveryBuffer_AreReadWhole()
    {
        using var server = InProcessServer.Start();

        var totals = EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get"), keys: 1, valueLength: 1 << 20) with
            {
                Operations = 60,
                Pipeline = 2,
                Verify = true,
            });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBe(60);
        totals.Operations[1].Counts.Mismatched.ShouldBe(0);
    }

    [Fact]
    public void ManyLongValues_InOneReply_AreReadWhole()
    {
        using var server = InProcessServer.Start();
        var plan = EngineTest.Plan(server.Endpoint, EngineTest.Mix("set"), keys: 1, valueLength: 9 << 20) with
        {
            ConnectionsPerThread = 1,
            Operations = 1,
            // 75 MB on a machine that is busy otherwise.
            DrainLimit = EngineTest.Limit,
        };
        EngineTest.Run(plan).Completed.ShouldBe(1);

        var totals = EngineTest.Run(plan with { Mix = EngineTest.Mix("mget:8") });

        totals.ShouldBeBalanced();
        (totals.Completed, totals.Operations[0].Counts.Hits, totals.Progress.Load.ConnectionsLost).ShouldBe((1, 8, 0));
    }

    [Fact]
    public void ManyConnections_Work()
    {
        using var server = InProcessServer.Start();

        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")) with
        {
            ConnectionsPerThread = 1_500,
            Operations = 6_000,
        });

        totals.Completed.ShouldBe(6_000);
        totals.Progress.Load.ConnectionsLost.ShouldBe(0);
    }
}
