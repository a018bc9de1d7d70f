using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Integration.Results;

public class ResultsTests : PairTest
{
    private static readonly string[] Load = ["--rate", "2000", "--iterations", "4000", "--warmup", "200"];

    [Fact]
    public async Task RunRecord_OfEitherService_HoldsToTheSchema()
    {
        var consumer = await StartConsumer("--region", "here");
        var producer = await RunProducer([.. Load, "--threshold", "lost<=0", "--region", "there"]);
        await consumer.EndBy("TERM");
        var schema = JsonNode.Parse(
            File.ReadAllText(RepositoryRoot.Combine("docs", "run-record.schema.json")))!.AsObject();

        foreach (var service in new[] { producer, consumer })
        {
            var file = Path.Combine(SavedRun.Of(service).Folder, ResultsFolder.RunRecordName);
            SchemaCheck.Violations(schema, JsonNode.Parse(File.ReadAllText(file))).ShouldBeEmpty();
        }

        var record = SavedRun.Of(producer).Record;
        record.Phases.Select(phase => phase.Name)
            .ShouldBe(["resolve", "connect", "rendezvous", "warmup", "measure"]);
        record.Region.ShouldBe("there");
        record.Targets.ShouldHaveSingleItem().Server.ShouldNotBeNull().Name.ShouldBe("redis");
    }

    [Fact]
    public async Task IntervalLog_Merged_IsWhatTheSummarySays()
    {
        await StartConsumer();

        var run = await Measure(Load);

        foreach (var series in run.Summary.Latencies)
        {
            var merged = run.Merged(series.Name);
            series.Count.ShouldBe(merged.TotalCount, series.Name);
            merged.Max.ShouldBe(series.Max!.Value, series.Name);
            foreach (var row in series.Percentiles.Where(row => row.Value is not null))
                merged.ValueAtPercentile(row.Percentile).ShouldBe(row.Value!.Value, $"{series.Name} p{row.Percentile}");
        }

        run.Record.Hiccups!.Count.ShouldBe(run.Merged("hiccups").TotalCount);
        run.Intervals(out var hasTornTail).Count.ShouldBeGreaterThan(2 * run.Summary.Latencies.Count);
        hasTornTail.ShouldBeFalse();
    }

    // In place of a run that closes its folder each hour.
    [Fact]
    public async Task RunsOfOneProducer_OneAfterTheOther_AddUp()
    {
        await StartConsumer();
        var hours = Directory.CreateDirectory(Path.Combine(Server.Folder, "hours")).FullName;
        var root = Path.Combine(Server.Folder, "merged");
        for (var hour = 0; hour < 2; hour++)
            (await (await RunProducer([.. Load, "--out", hours])).End()).ShouldBeOneOf(0, 4);

        var merge = Own(ServiceProcess.Start("Tool", "report", "merge", hours, "--out", root));

        (await merge.End()).ShouldBe(0, merge.ToString());
        var merged = new SavedRun(Directory.GetDirectories(root).ShouldHaveSingleItem());
        merged.Record.MergedFrom.ShouldNotBeNull().Count.ShouldBe(2);
        merged.Count(Counted.Returned).ShouldBe(8_000);
        merged.Merged("rtt").TotalCount.ShouldBe(8_000);
    }

    [Fact]
    public async Task Show_OfASavedRun_PrintsTheSameSummary()
    {
        await StartConsumer();
        var producer = await RunProducer(Load);
        var run = SavedRun.Of(producer);

        var show = Own(ServiceProcess.Start("Producer", "show", run.Folder));

        (await show.End()).ShouldBe(0, show.ToString());
        show.Output.ToString().ShouldBe(producer.Output.ToString());
    }

    [Fact]
    public async Task Json_OnStandardOutput_IsTheRunRecord()
    {
        await StartConsumer();

        var producer = await RunProducer([.. Load, "--format", "json"]);

        var printed = Encoding.UTF8.GetBytes(producer.Output.ToString());
        var record = RunRecordReader.Parse("standard output", printed);
        record.Summaries.ShouldHaveSingleItem().Count(Counted.Returned).ShouldBe(4_000);
        var saved = Path.Combine(SavedRun.Of(producer).Folder, ResultsFolder.RunRecordName);
        JsonNode.DeepEquals(JsonNode.Parse(printed), JsonNode.Parse(File.ReadAllText(saved))).ShouldBeTrue();
    }

    [Fact]
    public async Task Csv_OnStandardOutput_HasARowForEachSeries()
    {
        await StartConsumer();

        var producer = await RunProducer([.. Load, "--format", "csv"]);

        var rows = producer.Output.Lines.Select(line => line.Split(',')).ToList();
        var run = SavedRun.Of(producer);
        var oneWay = run.Summary.OneWay.ShouldHaveSingleItem().Series;
        oneWay.ShouldNotBeEmpty();
        rows.Count.ShouldBe(1 + run.Summary.Latencies.Count + oneWay.Count);
        rows.ShouldAllBe(row => row.Length == rows[0].Length);
        var p50 = Array.IndexOf(rows[0], "p50_ns");
        var name = Array.IndexOf(rows[0], "series");
        foreach (var row in rows.Skip(1))
        {
            var percentiles = oneWay.FirstOrDefault(series => series.Name == row[name])?.Percentiles
                ?? run.Series(row[name]).Percentiles;
            long.Parse(row[p50], CultureInfo.InvariantCulture)
                .ShouldBe(percentiles.Single(percentile => percentile.Percentile == 50).Value.ShouldNotBeNull());
        }
    }
}
