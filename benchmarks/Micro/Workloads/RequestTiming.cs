using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Micro.Workloads;

/// <summary>
/// What timing one request costs the load engine: a reading when it goes, one when its reply has come.
/// </summary>
[MemoryDiagnoser]
public class RequestTiming
{
    private readonly LatencyRecorder _recorder = new();

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public void TwoReadingsAndOneRecord()
    {
        var sent = MonotonicClock.NowNs();
        _recorder.Record(MonotonicClock.NowNs() - sent);
    }
}
