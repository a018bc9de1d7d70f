using System.Text.Json.Nodes;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>What a foreign document does not say is absent, never 0; what it says comes out as it came in.</summary>
public sealed class ForeignNumbersTests : IDisposable
{
    // As dfly_bench writes it: no histograms, no hits, no connection errors, no pipeline.
    private const string Dragonfly = """
        {"configuration":{"server":"127.0.0.1","port":6395,"clients":5,"threads":2},
        "ALL STATS":{"Runtime":{"Total duration":2005},
        "Sets":{"Count":3007,"Ops/sec":1499.75,"Average Latency":0.417,"Min Latency":0.071,"Max Latency":9.215,
        "Percentile Latencies":{"p50.00":0.391,"p90.00":0.623,"p99.00":1.007}},
        "Totals":{"Count":3007,"Ops/sec":1499.75,"Average Latency":0.417,"Min Latency":0.071,"Max Latency":9.215,
        "Percentile Latencies":{"p50.00":0.391,"p90.00":0.623,"p99.00":1.007}}}}
        """;

    private const string YcsbWithErrors = """
        [OVERALL], RunTime(ms), 495
        [OVERALL], Throughput(ops/sec), 40404.0404040404
        [READ], Operations, 10029
        [READ], Return=OK, 10029
        [READ], Return=NOT_FOUND, 12
        [READ], Return=ERROR, 3

        """;

    private readonly ScratchFolder _scratch = new();

    public static TheoryData<string, string[]> Silences => new()
    {
        { "memtier", ["errors", "timed-out", "lost", "retried", "mismatched", "redirected"] },
        { "dragonfly", ["hits", "misses", "errors", "timed-out", "lost"] },
        { "redis-benchmark", ["hits", "misses", "errors", "timed-out", "lost"] },
        { "log", ["hits", "misses", "errors", "timed-out", "lost"] },
        { "shake", ["hits", "misses", "errors", "timed-out", "lost"] },
    };

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [MemberData(nameof(Silences))]
    public void WhatADocumentDoesNotSay_IsNowhereZero(string document, string[] unsaid)
    {
        var (record, _) = ImportedSamples.Import(_scratch, document switch
        {
            "memtier" => ImportedSamples.Memtier(),
            "dragonfly" => Dragonfly,
            "redis-benchmark" => ImportedSamples.Benchmark,
            "log" => ImportedSamples.YcsbLog(),
            _ => ImportedSamples.RedisShake,
        });

        foreach (var name in unsaid)
        {
            record.Summaries[0].Metrics.ShouldNotContain(row => row.Name == name && row.Value != null);
            record.Metrics.Keys.ShouldNotContain(name);
        }

        var csv = new StringWriter { NewLine = "\n" };
        RecordCsv.Write(csv, record);
        var rows = csv.ToString().Split('\n').Select(line => line.Split(',')).ToList();
        foreach (var row in rows.Skip(1).Where(row => row.Length == rows[0].Length))
            row[Array.IndexOf(rows[0], "errors")].ShouldBeEmpty();
    }

    [Fact]
    public void Pipeline_ThatRedisBenchmarkDoesNotPrint_IsNotOne()
    {
        var (record, _) = ImportedSamples.Import(_scratch, ImportedSamples.Benchmark);

        record.Summaries[0].Workload!.Engine!.Pipeline.ShouldBeNull();
        var text = new StringWriter { NewLine = "\n" };
        new SummaryText(record, folder: null).WriteTo(text);
        text.ToString().ShouldContain("2 × 25 connections, by redis-benchmark\n");
    }

    [Fact]
    public void Memtier_ThatIsWrittenAgain_HasItsNumbers_AndSaysNoMore()
    {
        var (given, folder) = ImportedSamples.Import(_scratch, Dragonfly);
        var text = new StringWriter { NewLine = "\n" };

        MemtierDocument.Write(text, SavedRun.Open(folder));

        var json = JsonNode.Parse(text.ToString())!;
        var row = json["ALL STATS"]!["Sets"]!;
        row["Ops/sec"]!.GetValue<double>().ShouldBe(1499.75);
        row["Count"]!.GetValue<long>().ShouldBe(3_007);
        foreach (var name in new[] { "Hits/sec", "Misses/sec", "Connection Errors" })
            row[name].ShouldBeNull(name);
        json["configuration"]!["pipeline"].ShouldBeNull();
        var (again, _) = ImportedSamples.Import(_scratch, text.ToString());
        again.Metrics.Keys.Order().ShouldBe(given.Metrics.Keys.Order());
        foreach (var (name, value) in given.Metrics)
            again.Metrics[name].ShouldBe(value, name.Contains("service.") ? 1_000 : 0.01, name);
    }

    [Fact]
    public void Ycsb_ThatIsWrittenAgain_NamesItsErrorsAsBefore()
    {
        var (_, folder) = ImportedSamples.Import(_scratch, YcsbWithErrors);
        var text = new StringWriter { NewLine = "\n" };

        YcsbText.Write(text, SavedRun.Open(folder));

        text.ToString().Split('\n').Order().ShouldBe(YcsbWithErrors.Split('\n').Order());
    }
}
