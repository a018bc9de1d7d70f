using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>Probes between clocks whose offset is given as a function of A's time, which is true time here.</summary>
internal sealed class ProbeScript(Func<long, double> offset)
{
    private readonly Random _random = new(1);

    public const long Second = 1_000_000_000;

    public long ForwardNs { get; init; } = 20_000;

    public long BackNs { get; init; } = 20_000;

    public long QueueNs { get; init; } = 5_000;

    public double TruthAt(long at) => offset(at);

    public ClockProbe At(long sent)
    {
        var received = sent + ForwardNs + (long)(-Math.Log(1 - _random.NextDouble()) * QueueNs);
        var echoed = received + 3_000;
        var returned = echoed + BackNs + (long)(-Math.Log(1 - _random.NextDouble()) * QueueNs);
        return new ClockProbe(sent, Consumer(received), Consumer(echoed), returned);
    }

    /// <summary>Probes every few milliseconds from one instant to another, and the rates of both clocks.</summary>
    public void Run(OffsetTracker tracker, long from, long to, long every = 5_000_000, bool samplesRates = true)
    {
        for (var at = from; at < to; at += every)
        {
            tracker.Add(At(at));
            if (!samplesRates || at / Second == (at + every) / Second)
                continue;
            tracker.SetRate(ClockSide.Producer, at, 0);
            tracker.SetRate(ClockSide.Consumer, at, 0);
        }
    }

    public static List<OffsetWindow> Take(OffsetTracker tracker, long? completeAt = null)
    {
        if (completeAt is { } end)
            tracker.Complete(end);
        var windows = new List<OffsetWindow>();
        while (tracker.TryTake(out var window))
            windows.Add(window);
        return windows;
    }

    /// <summary>Instants of a window at which the truth is beyond the bound.</summary>
    public IEnumerable<string> Misses(OffsetWindow window)
    {
        for (var i = 0; i <= 20; i++)
        {
            var at = window.StartNs + ((window.EndNs - 1 - window.StartNs) / 20 * i);
            var miss = Math.Abs(TruthAt(at) - window.OffsetAt(at));
            if (miss > window.ErrorAt(at))
                yield return $"off by {miss:F0} of {window.ErrorAt(at)} at {at / 1e9:F4} s ({window.Break})";
        }
    }

    private long Consumer(long at) => at + (long)Math.Round(offset(at));
}
