using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>What is imported is what the file says, in nanoseconds, and nothing beside it.</summary>
public sealed class RunImportTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void Memtier_KeepsItsHistograms_AndHidesItsPassword()
    {
        var (record, folder) = ImportedSamples.Import(_scratch, ImportedSamples.Memtier());

        record.Imported!.ShouldSatisfyAllConditions(
            origin => origin.Tool.ShouldBe("memtier_benchmark"),
            origin => origin.ResolutionNs.ShouldBe(8_000),
            origin => origin.HasHistograms.ShouldBeTrue());
        record.Verdict.Status.ShouldBe(VerdictStatus.NotJudged);
        record.Verdict.Reasons[0].ShouldBe("Imported from memtier_benchmark (JSON, given.txt); values step by "
            + "8.000 µs. Nothing says how good it is.");
        // The value as memtier prints it: the highest of eight microseconds.
        record.Metrics["set-service.p50"].ShouldBe(71_000, 64);
        record.Metrics["service.count"].ShouldBe(3_000);
        record.Metrics["throughput"].ShouldBe(1_500);
        record.Metrics.Keys.ShouldNotContain("errors");
        record.Summaries[0].Workload!.Operations
            .Select(operation => (
                operation.Name, record.Summaries[0].Count(Counted.Completed, operation.Name),
                record.Summaries[0].Count(Counted.Hits, operation.Name)))
            .ShouldBe([("set", 2_000L, 500L), ("get", 1_000L, 250L)]);
        record.Summaries[0].Workload!.Engine!.Threads.ShouldBe(2);
        record.Options.ShouldContain(new RecordedOption("authenticate", "***", OptionSource.File));
        File.ReadAllText(Path.Combine(folder, ResultsFolder.RunRecordName)).ShouldNotContain("hunter2");
        var logged = SavedRun.Open(folder).ReadIntervals()
            .Select(one => (one.Tag, one.Histogram.TotalCount, one.Length));
        logged.ShouldBe([
            ("set-service", 2_000, TimeSpan.FromSeconds(2)), ("get-service", 1_000, TimeSpan.FromSeconds(2))]);
    }

    [Fact]
    public void BenchmarkCsv_HasThePercentilesThatItSays_AndNoOther()
    {
        var (record, folder) = ImportedSamples.Import(_scratch, ImportedSamples.BenchmarkCsv);

        record.Metrics["set.service.p95"].ShouldBe(327_000);
        record.Metrics.Keys.ShouldNotContain("set.service.p90");
        record.Metrics.Keys.ShouldNotContain("set.service.count");
        record.Metrics.Keys.ShouldNotContain("set.service.p99.9");
        record.Summaries[0].Latencies[0].Percentiles.At(90)!.Unknown.ShouldBe(UnknownPercentile.NotGiven);
        // All that took longer than three seconds is 3 s there.
        var clipped = record.Summaries[1].Latencies[0];
        (clipped.Max, clipped.MaxAtLeast, clipped.Mean).ShouldBe((null, 3_000_000_000, null));
        record.Metrics["lrange-100.throughput"].ShouldBe(71_428.57);
        record.Verdict.Reasons[0].ShouldContain("percentiles only at p50, p95, p99");
        Directory.GetFiles(folder).Select(Path.GetFileName).ShouldBe([ResultsFolder.RunRecordName]);
    }

    [Fact]
    public void BenchmarkText_KnowsAPercentileAsFarAsALineReaches()
    {
        var (record, _) = ImportedSamples.Import(_scratch, ImportedSamples.Benchmark);

        record.Metrics["service.p50"].ShouldBe(191_000);
        record.Metrics["service.p75"].ShouldBe(487_000);
        // 1,820 of 2,000 take at most 0.799 ms, so nine of ten do.
        record.Metrics["service.p90"].ShouldBe(799_000);
        record.Metrics.Keys.ShouldNotContain("service.p99.9");
        record.Metrics["service.count"].ShouldBe(2_000);
        record.Summaries[0].Workload!.Engine!.ConnectionsPerThread.ShouldBe(25);
    }

    [Fact]
    public void BenchmarkQuiet_BehindItsProgress_HasRateAndMedian()
    {
        var (record, _) = ImportedSamples.Import(
            _scratch, " \rSET: rps=0.0 (overall: 0.0) avg_msec=-nan\r          \rSET: 90497.73 requests per second, "
                + "p50=0.279 msec\n \rGET: 90090.09 requests per second, p50=0.271 msec\n\n");

        record.Metrics["set.service.p50"].ShouldBe(279_000);
        record.Metrics["get.throughput"].ShouldBe(90_090.09);
    }

    [Fact]
    public void Ycsb_KnowsNoPercentile_OfOperationsThatFailed()
    {
        var (whole, _) = ImportedSamples.Import(_scratch, ImportedSamples.Ycsb);
        var (failed, _) = ImportedSamples.Import(_scratch, ImportedSamples.Ycsb + "[READ], Return=ERROR, 7\n");

        whole.Metrics["read-service.p99.9"].ShouldBe(3_819_000);
        whole.Metrics["service.p50"].ShouldBe(49_000);
        whole.Metrics["read-service.mean"].ShouldBe(78_808, 1);
        whole.Summaries[0].Count(Counted.Sent, whole.Summaries[0].Workload!.Operations.Single().Name).ShouldBe(10_029);
        failed.Metrics["errors"].ShouldBe(7);
        failed.Metrics.Keys.ShouldNotContain("read-service.p50");
        failed.Summaries[0].Latencies[0].Percentiles.At(50)!.Unknown.ShouldBe(UnknownPercentile.MissingSamples);
    }

    [Theory]
    [InlineData("", ImportUnit.Us, 1_000)]
    [InlineData("#[Series: rtt, microseconds]\n", ImportUnit.Stated, 1_000)]
    [InlineData("", ImportUnit.Ms, 1_000_000)]
    public void PercentileDistribution_IsStepsInItsUnit(string heading, ImportUnit unit, long nanoseconds)
    {
        var (record, _) = ImportedSamples.Import(_scratch, heading + ImportedSamples.Hgrm, unit);

        var series = record.Summaries[0].Latencies.Single();
        series.Name.ShouldBe(heading.Length > 0 ? "rtt" : "service");
        series.Percentiles.At(50)!.Value.ShouldBe(2 * nanoseconds);
        series.Percentiles.At(90)!.Value.ShouldBe((long)(3.5 * nanoseconds));
        series.Percentiles.At(99)!.Value.ShouldBe((long)(3.5 * nanoseconds));
        // It lies between 9 and 12.
        series.Percentiles.At(99.9)!.Unknown.ShouldBe(UnknownPercentile.TooFewSamples);
        (series.Count, series.Max, series.Mean).ShouldBe((1_000, 12 * nanoseconds, 2.25 * nanoseconds));
        record.Imported!.ResolutionNs.ShouldBe(nanoseconds / 1_000);
    }

    [Fact]
    public void IntervalLogs_OfMemtierAndYcsb_AreInTheirUnit_OfOthersItMustBeSaid()
    {
        var (memtier, _) = ImportedSamples.Import(_scratch, ImportedSamples.MemtierLog());
        var (ycsb, _) = ImportedSamples.Import(_scratch, ImportedSamples.YcsbLog());
        var (other, _) = ImportedSamples.Import(_scratch, ImportedSamples.YcsbLog(""), ImportUnit.Ms, "rtt");

        memtier.Metrics["set-service.p50"].ShouldBe(71_000, 64);
        memtier.Imported!.ResolutionNs.ShouldBe(8_000);
        // It writes when the interval ended in the place of how long it took.
        memtier.Summaries[0].DurationNs.ShouldBe(2_236_000_000);
        ycsb.Metrics["read-service.p50"].ShouldBe(80_000, 64);
        other.Metrics["rtt.p50"].ShouldBe(80_000_000, 65_536);
        Should.Throw<ImportException>(() => ImportedSamples.Import(_scratch, ImportedSamples.YcsbLog("")))
            .Message.ShouldEndWith("an interval log does not say what its values are: add --unit us, ns or ms");
    }

    [Fact]
    public void RedisShake_HasItsCounts_AndNoLatency()
    {
        var (record, _) = ImportedSamples.Import(_scratch, ImportedSamples.RedisShake);

        record.Metrics["sent"].ShouldBe(5);
        record.Metrics["completed"].ShouldBe(4);
        record.Metrics["throughput"].ShouldBe(1.5);
        record.Imported!.Facts["reader.aof_sent_offset"].ShouldBe("219");
        record.Summaries.SelectMany(summary => summary.Latencies).ShouldBeEmpty();
    }

    [Fact]
    public void WhatIsImported_HoldsToTheSchema()
    {
        var schema = System.Text.Json.Nodes.JsonNode.Parse(File.ReadAllText(
            Fixtures.RepositoryRoot.Combine("docs", "run-record.schema.json")))!.AsObject();
        string[] texts = [ImportedSamples.Memtier(), ImportedSamples.BenchmarkCsv, ImportedSamples.RedisShake];
        foreach (var text in texts)
        {
            var (_, folder) = ImportedSamples.Import(_scratch, text);
            Records.SchemaCheck.Violations(schema, System.Text.Json.Nodes.JsonNode.Parse(
                File.ReadAllText(Path.Combine(folder, ResultsFolder.RunRecordName)))).ShouldBeEmpty();
        }
    }
}
