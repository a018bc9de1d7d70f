using BenchmarkDotNet.Attributes;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Micro.Clocks;

/// <summary>What it takes to bound the offset of two clocks by a million probes, 500 a second for 33 minutes.</summary>
[MemoryDiagnoser]
public class OffsetSolving
{
    private const int Probes = 1_000_000;
    private const long EveryNs = 2_000_000;
    private const long PathNs = 20_000;
    private const double SkewPpm = 12;

    private readonly ClockProbe[] _probes = new ClockProbe[Probes];

    /// <summary>Draws queues with a heavy tail on either way.</summary>
    [GlobalSetup]
    public void Draw()
    {
        var random = new Random(7);
        for (var number = 0; number < Probes; number++)
        {
            var sent = number * EveryNs;
            var received = sent + PathNs + Queue(random);
            var returned = received + 500 + PathNs + Queue(random);
            _probes[number] = new ClockProbe(sent, OfConsumer(received), OfConsumer(received + 500), returned);
        }
    }

    [Benchmark]
    [BenchmarkCategory(Category.Cold)]
    public int MillionProbes()
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());
        var windows = 0;
        foreach (ref readonly var probe in _probes.AsSpan())
        {
            tracker.Add(probe);
            while (tracker.TryTake(out _))
                windows++;
        }

        tracker.Complete(_probes[^1].ReturnedNs);
        while (tracker.TryTake(out _))
            windows++;
        return windows;
    }

    private static long OfConsumer(long ns) => ns + 100_000_000_000 + (long)(ns * SkewPpm * 1e-6);

    private static long Queue(Random random) => (long)(2_000 * Math.Pow(1 - random.NextDouble(), -0.7));
}
