using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>What is shown of an import as the run's is of all its operations, each counted once, or absent.</summary>
public sealed class ImportedWholesTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void PercentilesOfOperations_AreNotThoseOfTheRun()
    {
        var (record, folder) = ImportedSamples.Import(_scratch, Ycsb(100, 80_000));

        Headline.Of(record).ShouldBeNull();
        var answer = Answer(record);
        answer.Split('\n')[0].ShouldBe("NOT JUDGED  run: 5,000/s; 10,000 of 10,000 operations");
        answer.ShouldMatch(@"update +8,800 +8,800 +80\.00 ms +160\.0 ms");
        using var list = new StringWriter();
        SectionText.Write(list, SavedRunTable.Of([SavedRun.Open(folder)]));
        list.ToString().ShouldNotContain("100.0 µs");
    }

    [Fact]
    public void PercentilesOfTheOnlyOperation_AreThoseOfTheRun()
    {
        var (record, _) = ImportedSamples.Import(_scratch, ImportedSamples.Ycsb);

        Headline.Of(record)!.Name.ShouldBe("service");
        Answer(record).Split('\n')[0].ShouldContain("p50 49.00 µs, p99 353.0 µs");
    }

    [Fact]
    public void Comparison_IsOfEachOperation_WhereTheFileDoesNotSayAll()
    {
        var before = Enumerable.Range(0, 6).Select(i => Import(Ycsb(100 + i, 100 + i))).ToList();
        var after = Enumerable.Range(0, 6).Select(i => Import(Ycsb(100 + i, 80_000 + i))).ToList();

        var rows = new RunComparison(before, after, []).Rows;

        rows.Select(row => row.Name).ShouldBe(
            ["read-service.p50", "read-service.p99", "update-service.p50", "update-service.p99", "throughput"],
            ignoreOrder: true);
        Outcome("read-service.p50").ShouldBe(ComparisonOutcome.NoDifferenceShown);
        Outcome("update-service.p50").ShouldBe(ComparisonOutcome.Worse);
        Outcome("update-service.p99").ShouldBe(ComparisonOutcome.Worse);

        ComparisonOutcome? Outcome(string name) => rows.Single(row => row.Name == name).Outcome;
    }

    [Fact]
    public void Comparison_IsOfEachTest_OfARedisBenchmark()
    {
        var run = Import(ImportedSamples.BenchmarkCsv);

        new RunComparison([run], [run], []).Rows.Select(row => row.Name).ShouldBe(
            [
                "set.service.p50", "set.service.p99", "lrange-100.service.p50", "lrange-100.service.p99",
                "set.throughput", "lrange-100.throughput",
            ],
            ignoreOrder: true);
    }

    // What has no lines of its own is the sum of what has.
    [Fact]
    public void OurOwnLog_CountsAnOperationOnce_AndSaysWhatAllTook()
    {
        var record = Import(Log(
            ("get-response", 3_000, 100), ("get-service", 1_000, 100), ("set-response", 4_000, 300),
            ("set-service", 2_000, 300), ("lateness", 5, 400)));

        var summary = record.Summaries.ShouldHaveSingleItem();
        summary.Workload!.Operations.Select(one => (one.Name, summary.Metrics.Count(Counted.Completed, one.Name))).ShouldBe([("get", 100L), ("set", 300L)]);
        record.Metrics["returned"].ShouldBe(400);
        (record.Metrics["response.count"], record.Metrics["service.count"]).ShouldBe((400, 400));
        Headline.Of(record)!.Name.ShouldBe("response");
        record.Metrics["response.max"].ShouldBe(4_000_000, 4_000);
        record.Metrics["service.p50"].ShouldBe(2_000_000, 2_000);
    }

    [Fact]
    public void OurOwnLog_KeepsItsPhasesApart()
    {
        var record = Import(Log(
            ("1.insert-service", 9_000, 50), ("1.hiccups", 1, 7), ("2.read-service", 1_000, 100),
            ("2.update-service", 2_000, 300)));

        record.Summaries.Select(summary => (summary.Name, string.Join(
                ",", summary.Workload!.Operations.Select(one => $"{one.Name} {summary.Metrics.Count(Counted.Completed, one.Name)}"))))
            .ShouldBe([("1", "insert 50"), ("2", "read 100,update 300")]);
        record.Metrics["2.service.count"].ShouldBe(400);
        record.Metrics["1.insert-service.count"].ShouldBe(50);
    }

    [Theory]
    // The original times what failed apart; ours times it with the others, and what had an error reply not at all.
    [InlineData("[READ], Operations, 412\n[READ], Return=OK, 412\n[READ], Return=ERROR, 622\n", 1_034, 412, 622, 622)]
    [InlineData("[READ], Operations, 1034\n[READ], Return=OK, 412\n[READ], Return=ERROR, 622\n", 1_034, 412, 622, 0)]
    [InlineData("[READ], Operations, 1034\n[READ], Return=OK, 412\n[READ], Return=ERROR, 632\n", 1_044, 412, 632, 10)]
    [InlineData("[READ], Operations, 412\n[READ-FAILED], Operations, 622\n", 1_034, 412, 622, 622)]
    [InlineData("[READ], Operations, 1000\n[READ], Return=0, 1000\n", 1_000, 1_000, 0, 0)]
    public void Ycsb_CountsWhatFailedOnce(string lines, int sent, int completed, int errors, int missing)
    {
        var record = Import($"[OVERALL], RunTime(ms), 1000\n{lines}[READ], 50thPercentileLatency(us), 16\n");

        var rows = record.Summaries[0].Metrics;
        var name = record.Summaries[0].Workload!.Operations.ShouldHaveSingleItem().Name;
        (rows.Count(Counted.Sent, name), rows.Count(Counted.Completed, name), rows.Count(Counted.Errors, name))
            .ShouldBe((sent, completed, errors));
        record.Summaries[0].Latencies[0].Missing.ShouldBe(missing);
        record.Metrics.ContainsKey("read-service.p50").ShouldBe(missing == 0);
    }

    [Fact]
    public void WhatTheToolDoesNotSay_IsNotCalledMissing()
    {
        var record = Import("GET: 90090.09 requests per second, p50=0.271 msec\n");

        using var text = new StringWriter();
        new SummaryText(record, null).WriteTo(text);
        var lines = text.ToString().Split('\n');
        lines.ShouldContain(line => line.TrimStart().StartsWith("mean ") && line.EndsWith(LatencyTable.NotGiven));
        lines.ShouldContain(line => line.TrimStart().StartsWith("max ") && line.EndsWith(LatencyTable.NotGiven));
        text.ToString().ShouldNotContain(LatencyTable.Missing);
        text.ToString().ShouldContain($"{LatencyTable.NotGiven}: the tool that measured does not say it");
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(19, false)]
    [InlineData(20, true)]
    public void PercentileOverTime_IsShownWhereItIsKnown(int count, bool isShown)
    {
        var (record, folder) = ImportedSamples.Import(_scratch, Log(("service", 51, count)));

        using var text = new StringWriter();
        new AnswerText(record, folder).WriteTo(text);
        text.ToString().Contains("over time", StringComparison.Ordinal).ShouldBe(isShown);
        text.ToString().ShouldContain("how many took up to this long");
    }

    private static string Answer(RunRecord record)
    {
        using var text = new StringWriter();
        new AnswerText(record, null).WriteTo(text);
        return text.ToString();
    }

    private RunRecord Import(string text) => ImportedSamples.Import(_scratch, text).Record;

    // A log of ours: of each tag so many values of so many microseconds.
    private static string Log(params (string Tag, long Microseconds, int Count)[] series)
    {
        using var stream = new MemoryStream();
        var log = new IntervalLogWriter(stream, DateTimeOffset.UnixEpoch, "RedisLatency 0.1.0");
        foreach (var (tag, value, count) in series)
        {
            var values = LatencyHistogram.ForLatency();
            values.Record(1_000 * value, count);
            log.Write(tag, DateTimeOffset.UnixEpoch, TimeSpan.FromSeconds(1), values);
        }

        return System.Text.Encoding.ASCII.GetString(stream.ToArray());
    }

    private static string Ycsb(int readUs, int updateUs) => $"""
        [OVERALL], RunTime(ms), 2000
        [OVERALL], Throughput(ops/sec), 5000
        [READ], Operations, 1200
        [READ], 50thPercentileLatency(us), {readUs}
        [READ], 99thPercentileLatency(us), {readUs + 20}
        [READ], Return=OK, 1200
        [UPDATE], Operations, 8800
        [UPDATE], 50thPercentileLatency(us), {updateUs}
        [UPDATE], 99thPercentileLatency(us), {2 * updateUs}
        [UPDATE], Return=OK, 8800

        """;
}
