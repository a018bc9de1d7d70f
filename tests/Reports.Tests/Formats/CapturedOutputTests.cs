using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>What the originals printed, imported.</summary>
public sealed class CapturedOutputTests : IDisposable
{
    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData("memtier.json", "service.p50=103000 service.p99=271000 set-service.p99.9=799000")]
    [InlineData("memtier.json", "get-service.p99.9=375000 set-service.max=1255000")]
    [InlineData("memtier.json", "service.count=20000 throughput=84629.22 misses=10000 set-service.mean=107000")]
    // The histogram of all operations is empty there; those of each make it up.
    [InlineData("memtier-two-runs.json", "best-run.service.p50=71000 aggregated-average.service.count=173509")]
    [InlineData("memtier-two-runs.json", "aggregated-average.service.p50=71000")]
    [InlineData("memtier-set-run.hgrm", "set-service.p50=103000 set-service.p99=271000 set-service.max=1255000")]
    [InlineData("redis-benchmark.csv", "set.service.p50=271000 mset.service.max=519000 lpush-2.service.p99=463000")]
    [InlineData("redis-benchmark.txt", "set.service.p50=63000 set.service.p99=167000 set.throughput=86206.9")]
    [InlineData("redis-benchmark-threads.txt", "service.p50=191000 service.p75=487000 service.p99=3351000")]
    [InlineData("redis-benchmark-q.txt", "set.service.p50=279000 incr.throughput=93457.95")]
    [InlineData("ycsb-run.txt", "read-service.p50=49000 update-service.p99=386000 throughput=40404.0404040404")]
    [InlineData("ycsb-load.txt", "insert-service.p90=163000 service.p99=763000")]
    [InlineData("ycsb-json-both-intervals.txt", "read-service.max=18575000 read-service.count=300000")]
    [InlineData("redisshake-status.json", "sent=3 completed=3 throughput=0")]
    public void Metrics_AreThoseOfTheFile(string name, string expected)
    {
        var (record, _) = ImportedSamples.ImportFile(_scratch, ImportedSamples.Captured(name));

        foreach (var metric in expected.Split(' ').Select(word => word.Split('=')))
        {
            var value = double.Parse(metric[1], System.Globalization.CultureInfo.InvariantCulture);
            // A histogram of ours has three digits.
            record.Metrics[metric[0]].ShouldBe(value, Math.Max(0.5, value / 1_000), metric[0]);
        }
    }

    [Fact]
    public void Memtiers_PercentileText_IsInMilliseconds()
    {
        var (record, _) = ImportedSamples.ImportFile(
            _scratch, ImportedSamples.Captured("memtier-full-run-percentiles.txt"), ImportUnit.Ms);

        record.Metrics["service.count"].ShouldBe(20_000);
        record.Metrics["service.p50"].ShouldBe(100_000);
        record.Metrics["service.mean"].ShouldBe(108_000);
        record.Imported!.ResolutionNs.ShouldBe(10_000);
    }

    [Fact]
    public void YcsbsOwnPercentiles_WithBothIntervals_AreFromEitherStart()
    {
        var (record, _) = ImportedSamples.ImportFile(
            _scratch, ImportedSamples.Captured("ycsb-json-both-intervals.txt"));

        var names = record.Summaries[0].Latencies.Select(series => series.Name);
        names.ShouldBe(["read-response", "read-service", "response", "service"], ignoreOrder: true);
        record.Summaries[0].Latencies[0].Percentiles.At(50)!.Unknown.ShouldBe(UnknownPercentile.NotGiven);
    }

    [Theory]
    [InlineData("memtier.txt")]
    [InlineData("memtier-client.csv")]
    [InlineData("redisshake-console.txt")]
    [InlineData("ycsb-status.txt")]
    public void WhatIsNoResult_IsRefusedInASentence(string name)
    {
        var file = ImportedSamples.Captured(name);

        Should.Throw<ImportException>(() => ImportedSamples.ImportFile(_scratch, file))
            .Message.ShouldContain("not a result that is known here");
    }
}
