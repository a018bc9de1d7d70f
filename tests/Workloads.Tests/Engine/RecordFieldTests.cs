using RedisLatency.Reports.MetricSets;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Records that are hashes, with YCSB's index beside them: what the server counts.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class RecordFieldTests : PhaseTest
{
    private const int Records = 100;

    [Fact]
    public void Load_WritesEveryFieldOfEveryRecord_AndTheIndex()
    {
        Load();

        CallsOf("hmset").ShouldBe(Records);
        CallsOf("zadd").ShouldBe(Records);
        Ask("HLEN", "user6284781860667377211").ShouldBe("10");
        Ask("HSTRLEN", "user6284781860667377211", "field9").ShouldBe("100");
        Ask("ZCARD", "_indices").ShouldBe("100");
        // "user6284781860667377211".hashCode() in Java.
        Ask("ZSCORE", "_indices", "user6284781860667377211").ShouldBe("-594971599");
    }

    [Theory]
    [InlineData(false, "hgetall")]
    [InlineData(true, "hmget")]
    public void Reads_TakeAllFieldsOrOne_AndUpdatesWriteOne(bool isOne, string command)
    {
        Load();

        var totals = Run(new PhaseOptions
        {
            Workload = Workloads.Commands.YcsbWorkload.A,
            Fields = 10,
            ReadFields = isOne ? FieldChoice.One : FieldChoice.All,
            Records = Records,
            Operations = 400,
        });

        var (read, update) = (totals.Operations[0], totals.Operations[1]);
        (read.Counts.Completed + update.Counts.Completed).ShouldBe(400);
        read.Counts.Hits.ShouldBe(read.Counts.Completed);
        CallsOf(command).ShouldBe(read.Counts.Completed);
        CallsOf("hmset").ShouldBe(Records + update.Counts.Completed);
        Ask("HLEN", "user6284781860667377211").ShouldBe("10", "only fields that are there are written");
    }

    [Fact]
    public void Scan_ReadsTheRecordsThatTheIndexNames()
    {
        Load();

        var totals = Run(new PhaseOptions
        {
            Mix = [new("scan:20", 1)],
            Fields = 10,
            Index = "_indices",
            Records = Records,
            Operations = 50,
            Pipeline = 4,
        });

        CallsOf("zrangebyscore").ShouldBe(50);
        totals.Operations[0].Counts.Hits.ShouldBeGreaterThan(50);
        CallsOf("hgetall").ShouldBe(totals.Operations[0].Counts.Hits);
    }

    [Theory]
    [InlineData(null, "get", "set")]
    [InlineData(10, "hgetall", "hmset")]
    public void ReadModifyWrite_IsRecordedWhole_AndInItsParts(int? fields, string read, string write)
    {
        Run(new PhaseOptions { Records = Records, Fields = fields }, isLoad: true);
        var writes = CallsOf(write);
        var plan = Plan(new PhaseOptions
        {
            Mix = [new("rmw", 1)],
            Fields = fields,
            Records = Records,
            Operations = 300,
        });
        using var engine = new RawEngine(plan);
        var metrics = new MetricSet();
        WorkloadMetrics.AddSeries(metrics, plan.Mix, engine.Workers, isOpenLoop: false);

        EngineTest.RunToItsEnd(engine).Completed.ShouldBe(300);
        metrics.TakeBlock(TimeSpan.FromSeconds(1));
        metrics.EndInterval();

        CallsOf(read).ShouldBe(300);
        (CallsOf(write) - writes).ShouldBe(300);
        CountOf("rmw-service").ShouldBe(300);
        CountOf("rmw-read-service").ShouldBe(300);
        CountOf("rmw-update-service").ShouldBe(300);

        long CountOf(string name) => metrics.Series.Single(series => series.Metric.Name == name).Total.TotalCount;
    }

    private void Load() =>
        Run(new PhaseOptions { Records = Records, Fields = 10, Index = "_indices", Pipeline = 2 }, isLoad: true);
}
