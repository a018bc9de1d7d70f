using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Micro.Histograms;

/// <summary>Counting one latency: alone, and so that another thread may take intervals.</summary>
[MemoryDiagnoser]
public class HistogramRecording
{
    private const int Values = 4096;

    private readonly long[] _latencies = SampleLatencies.Take(Values);
    private readonly LatencyHistogram _histogram = LatencyHistogram.ForLatency();
    private readonly LatencyRecorder _recorder = new();

    [Benchmark(OperationsPerInvoke = Values)]
    [BenchmarkCategory(Category.Hot)]
    public void RecordInHistogram()
    {
        var histogram = _histogram;
        foreach (var latency in _latencies)
            histogram.Record(latency);
    }

    [Benchmark(OperationsPerInvoke = Values)]
    [BenchmarkCategory(Category.Hot)]
    public void RecordInRecorder()
    {
        var recorder = _recorder;
        foreach (var latency in _latencies)
            recorder.Record(latency);
    }
}
