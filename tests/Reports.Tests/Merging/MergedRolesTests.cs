using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>Merges of what real runs left, and of pairs of clocks.</summary>
public sealed class MergedRolesTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();
    private readonly SampleParts _parts;

    public MergedRolesTests() => _parts = new SampleParts(_scratch);

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData("producer", "", "rtt-intended")]
    [InlineData("load", "2.", "service")]
    [InlineData("load", "1.", "insert-service")]
    public void TwoOfARun_HaveTwiceItsCounts_AndItsPercentiles(string name, string mark, string ofWhat)
    {
        var (first, second) = (SavedRun.Open(Copy(name, "vm-1", 1)), SavedRun.Open(Copy(name, "vm-2", 2)));

        var merged = _parts.Merge([first, second], out var folder).Metrics;

        var (one, series) = (first.Record!.Metrics, mark + ofWhat);
        foreach (var metric in new[] { $"{mark}sent", $"{mark}returned", $"{series}.count", $"{mark}throughput" })
            (merged[metric] / 2).ShouldBe(one[metric], metric);
        foreach (var metric in one.Keys.Where(metric => metric.StartsWith($"{series}.p", StringComparison.Ordinal)))
            merged[metric].ShouldBe(one[metric], metric);
        merged[$"{series}.max"].ShouldBe(one[$"{series}.max"]);
        var schema = JsonNode.Parse(File.ReadAllText(RepositoryRoot.Combine("docs", "run-record.schema.json")))!;
        Records.SchemaCheck.Violations(schema.AsObject(), JsonNode.Parse(
            File.ReadAllText(Path.Combine(folder, ResultsFolder.RunRecordName)))).ShouldBeEmpty();
    }

    [Fact]
    public void DelaysAreForTheMatrix() =>
        new RunMerge("0.1.0").Add(SavedRun.Open(Copy("delay", "vm-1", 1)))
            .ShouldBe("delays of several runs are put together by report matrix");

    [Fact]
    public void PairsToOneConsumer_HaveTheLargestError_OthersStayAsTheyAre()
    {
        var parts = new[]
        {
            Pairs("eu-1", ("us-1", 1_000, OneWayGrade.A, 10), ("ap-1", 5_000, OneWayGrade.B, 20)),
            Pairs("eu-2", ("us-1", 9_000, OneWayGrade.C, 30), ("sa-1", 100, OneWayGrade.A, 40)),
        };

        var merged = _parts.Merge(parts, out var folder).Summaries[0].OneWay;

        merged.Select(pair => pair.Consumer).ShouldBe(["us-1", "ap-1", "sa-1"]);
        merged[0].ShouldSatisfyAllConditions(
            pair => pair.Offset.ShouldBeNull(),
            pair => pair.Grade.ShouldBe(OneWayGrade.C),
            pair => pair.Reasons.ShouldContain("eu-2: grade C, E at most 9.000 µs."),
            pair => pair.Series[0].ErrorNs.ShouldBe(9_000),
            pair => pair.Series[0].Count.ShouldBe(40),
            pair => pair.Series[0].Percentiles.At(50)!.InDoubt.ShouldBeTrue(),
            pair => pair.Series[0].Negatives.ShouldBe(2));
        merged[1].Offset!.ErrorWorstNs.ShouldBe(5_000);
        merged[2].Series[0].Count.ShouldBe(40);
        // By their new places: 2 is ap-1, 3 is sa-1.
        var logged = SavedRun.Open(folder).ReadIntervals().Where(one => one.Tag != "rtt")
            .Select(one => (one.Tag, one.Histogram.TotalCount))
            .GroupBy(one => one.Tag).ToDictionary(one => one.Key!, one => one.Sum(part => part.TotalCount));
        logged.ShouldBe(new Dictionary<string, long>
        {
            ["forward"] = 38,
            ["forward-negative"] = 2,
            ["2.forward"] = 19,
            ["2.forward-negative"] = 1,
            ["3.forward"] = 39,
            ["3.forward-negative"] = 1,
        }, ignoreOrder: true);
    }

    private string Copy(string name, string instance, long startNs)
    {
        var sample = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", name);
        var folder = Directory.CreateDirectory(_scratch.Combine(instance)).FullName;
        File.Copy(Path.Combine(sample, "latency.hlog"), Path.Combine(folder, "latency.hlog"));
        var record = JsonNode.Parse(File.ReadAllText(Path.Combine(sample, "run.json")))!;
        record["instance"] = instance;
        record["phases"]![0]!["startNs"] = startNs;
        foreach (var summary in record["summaries"]!.AsArray())
            summary!["startUtc"] = record["phases"]![0]!["startUtc"]!.DeepClone();
        // The sample's log has the series that it is about, and no other.
        if (name == "producer")
        {
            var latencies = record["summaries"]![0]!["latencies"]!.AsArray();
            while (latencies.Count > 1)
                latencies.RemoveAt(1);
            record["summaries"]![0]!["oneWay"] = new JsonArray();
        }

        File.WriteAllText(Path.Combine(folder, "run.json"), record.ToJsonString());
        return folder;
    }

    // Of each pair so many values, one of them negative.
    private SavedRun Pairs(
        string instance, params (string Consumer, long ErrorNs, OneWayGrade Grade, int Count)[] pairs)
    {
        var histograms = pairs.Select(pair =>
        {
            var values = SignedLatencyHistogram.ForLatency();
            for (var i = 0; i < pair.Count; i++)
                values.Record(i == 0 ? -1_000 : 100_000);
            return values;
        }).ToList();
        var sample = Records.SampleRunRecord.Create().Summaries[0].OneWay[0];
        var run = _parts.Write(instance, [new(0, 1_000, 0)], record => record with
        {
            Summaries =
            [
                record.Summaries[0] with
                {
                    OneWay =
                    [
                        .. pairs.Zip(histograms, (pair, values) => sample with
                        {
                            Consumer = pair.Consumer,
                            Grade = pair.Grade,
                            Offset = new()
                            {
                                OffsetNs = 1, AtNs = 1, ErrorMedianNs = 1, ErrorWorstNs = pair.ErrorNs, Windows = 1,
                            },
                            Series =
                            [
                                InDoubt(OneWaySeries.Of("forward", values, pair.ErrorNs)),
                            ],
                        }),
                    ],
                },
            ],
        });
        using var file = File.Open(run.LogFile!, FileMode.Append);
        var log = new IntervalLogWriter(file, SampleParts.Start, "test");
        for (var pair = 0; pair < pairs.Length; pair++)
        {
            var tag = pair == 0 ? "forward" : $"{pair + 1}.forward";
            log.Write(tag, SampleParts.Start, TimeSpan.FromSeconds(1), histograms[pair].Values);
            log.Write($"{tag}-negative", SampleParts.Start, TimeSpan.FromSeconds(1), histograms[pair].Negatives);
        }

        return run;
    }

    private static OneWaySeries InDoubt(OneWaySeries series) => series with
    {
        Percentiles = [.. series.Percentiles.Select(row => row with { InDoubt = true })],
    };
}
