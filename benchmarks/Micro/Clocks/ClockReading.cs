using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Micro.Clocks;

/// <summary>Two readings are in every latency.</summary>
[MemoryDiagnoser]
public class ClockReading
{
    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public long Now() => MonotonicClock.NowNs();
}
