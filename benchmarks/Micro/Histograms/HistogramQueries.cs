using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Micro.Histograms;

/// <summary>What the reporter asks of an interval with 100,000 values, while the next one is measured.</summary>
[MemoryDiagnoser]
public class HistogramQueries
{
    private readonly LatencyHistogram _histogram = LatencyHistogram.ForLatency();
    private readonly LatencyHistogram _sum = LatencyHistogram.ForLatency();
    private readonly LatencyRecorder _recorder = new();

    public HistogramQueries()
    {
        foreach (var latency in SampleLatencies.Take(100_000))
            _histogram.Record(latency);
    }

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long ValueAtPercentile() => _histogram.ValueAtPercentile(99.9);

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void TakeInterval() => _recorder.TakeInterval(_sum);
}
