using BenchmarkDotNet.Attributes;
using HdrHistogram;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Micro.Histograms;

/// <summary>
/// Counting one latency: alone, and so that another thread may take intervals. Beside ours the package of HdrHistogram
/// for .NET, with the same range and digits.
/// </summary>
[MemoryDiagnoser]
public class HistogramRecording
{
    private const int Values = 4096;
    private const long OneHour = 3_600_000_000_000;

    private readonly long[] _latencies = SampleLatencies.Take(Values);
    private readonly LatencyHistogram _histogram = LatencyHistogram.ForLatency();
    private readonly LatencyRecorder _recorder = new();
    private readonly LongHistogram _packageHistogram = new(1, OneHour, 3);
    private readonly Recorder _packageRecorder = HistogramFactory.With64BitBucketSize()
        .WithValuesFrom(1).WithValuesUpTo(OneHour).WithPrecisionOf(3).WithThreadSafeReads().Create();

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

    [Benchmark(OperationsPerInvoke = Values)]
    [BenchmarkCategory(Category.Cold)]
    public void RecordInPackageHistogram()
    {
        var histogram = _packageHistogram;
        foreach (var latency in _latencies)
            histogram.RecordValue(latency);
    }

    [Benchmark(OperationsPerInvoke = Values)]
    [BenchmarkCategory(Category.Cold)]
    public void RecordInPackageRecorder()
    {
        var recorder = _packageRecorder;
        foreach (var latency in _latencies)
            recorder.RecordValue(latency);
    }
}
