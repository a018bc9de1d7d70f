using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Micro.Sequences;

/// <summary>Accounting for one message that came in order.</summary>
[MemoryDiagnoser]
public class SequenceTracking
{
    private readonly SequenceTracker _tracker = new();
    private long _next;

    [Benchmark]
    [BenchmarkCategory(Category.Hot)]
    public SequenceArrival ObserveNext() => _tracker.Observe(_next++, false, _next);
}
