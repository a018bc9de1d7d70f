using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>
/// A link with log-normal queues between a true clock A and a clock B with planted faults, which no host watch sees but
/// a sleep. Messages are echoed at a rate; both hosts say once a second what they know of their clocks.
/// </summary>
internal sealed record PlantedWorld
{
    public const long Second = 1_000_000_000;

    public int Seed { get; init; }

    public double Seconds { get; init; } = 30;

    public double Rate { get; init; } = 300;

    public double ForwardNs { get; init; } = 14e6;

    public double BackNs { get; init; } = 14e6;

    /// <summary>From when both ways take longer, and by how much.</summary>
    public (double AtNs, double ByNs)? Detour { get; init; }

    /// <summary>How long they do.</summary>
    public double DetourNs { get; init; } = double.PositiveInfinity;

    /// <summary>The median of what a queue adds, each way.</summary>
    public double JitterNs { get; init; } = 200e3;

    /// <summary>How much busier than others single seconds are: the spread of the logarithm of what queues add.</summary>
    public double Unrest { get; init; }

    /// <summary>The spread of its logarithm.</summary>
    public double Spread { get; init; } = 1;

    public double SkewPpm { get; init; } = 5;

    /// <summary>How far B is ahead, besides, at an instant of A's time.</summary>
    public Func<double, double> Fault { get; init; } = _ => 0;

    /// <summary>When B's host slept, and how long: its clock stood still.</summary>
    public (double AtNs, double LengthNs)? Sleep { get; init; }

    /// <summary>Where in the second B's host samples its clocks.</summary>
    public double Phase { get; init; } = 0.37;

    /// <summary>How much longer than it did B says that it kept each message, each side.</summary>
    public double OverclaimedNs { get; init; }

    public OffsetAssumptions Assumptions { get; init; } = new();

    public double TruthAt(double at) => 5e9 + (SkewPpm * 1e-6 * at) + Fault(at)
        - (Sleep is var (from, length) ? Math.Clamp(at - from, 0, length) : 0);

    public (OffsetTracker Tracker, List<OffsetWindow> Windows) Track(Action<OffsetTracker>? before = null)
    {
        var tracker = new OffsetTracker(Assumptions);
        before?.Invoke(tracker);
        var statuses = new ClockStatusFeed(tracker);
        var random = new Random(Seed);
        var events = new List<(double At, ClockProbe Probe)>();
        var busy = Enumerable.Range(0, (int)Seconds + 1).Select(_ => Math.Exp(Unrest * Normal(random))).ToArray();
        for (var sent = 1e6; sent < Seconds * 1e9; sent += 1e9 / Rate * (0.5 + random.NextDouble()))
        {
            var detour = Detour is var (from, by) && sent >= from && sent < from + DetourNs ? by : 0;
            var received = sent + ForwardNs + detour + (busy[(int)(sent / 1e9)] * Queue(random));
            var echoed = received + 3e3;
            var returned = echoed + BackNs + detour + (busy[(int)(sent / 1e9)] * Queue(random));
            events.Add((returned, new ClockProbe((long)sent, (long)(Consumer(received) - OverclaimedNs),
                (long)(Consumer(echoed) + OverclaimedNs), (long)returned)));
        }

        var windows = new List<OffsetWindow>();
        var told = 0L;
        foreach (var (at, probe) in events.OrderBy(item => item.At))
        {
            if ((long)at / Second != told)
            {
                told = (long)at / Second;
                statuses.HearLocal(new ClockStatus((long)at, 0, -1, 0, 0));
            }

            tracker.Add(probe);
            statuses.HearPeer(probe, PeerStatus(probe));
            while (tracker.TryTake(out var window))
                windows.Add(window);
        }

        // Both hosts are heard out, as a Producer does.
        for (var later = 1; later <= 2; later++)
        {
            var at = (long)(Seconds * 1e9) + (later * Second);
            tracker.SetRate(ClockSide.Producer, at, 0);
            tracker.SetRate(ClockSide.Consumer, at, 0);
        }

        tracker.Complete((long)(Seconds * 1e9));
        while (tracker.TryTake(out var last))
            windows.Add(last);
        return (tracker, windows);
    }

    /// <summary>Instants of proven windows at which the truth is beyond the bound.</summary>
    public IEnumerable<string> Misses(IEnumerable<OffsetWindow> windows)
    {
        foreach (var window in windows.Where(window => window.IsProven))
        {
            for (var i = 0; i <= 40; i++)
            {
                var at = window.StartNs + ((window.EndNs - 1 - window.StartNs) / 40 * i);
                var miss = Math.Abs(TruthAt(at) - window.OffsetAt(at));
                if (miss > window.ErrorAt(at))
                    yield return $"seed {Seed}: off by {miss:F0} of {window.ErrorAt(at)} at {at / 1e9:F4} s ({window.Break})";
            }
        }
    }

    /// <summary>How long the truth is beyond the bound of proven windows at a stretch, to 5 ms.</summary>
    public long LongestMissNs(IEnumerable<OffsetWindow> windows)
    {
        const long Step = 5_000_000;
        var (longest, from) = (0L, -1L);
        foreach (var window in windows.Where(window => window.IsProven))
        {
            for (var at = window.StartNs; at < window.EndNs; at += Step)
            {
                if (Math.Abs(TruthAt(at) - window.OffsetAt(at)) <= window.ErrorAt(at))
                {
                    from = -1;
                    continue;
                }

                from = from < 0 ? at : from;
                longest = Math.Max(longest, at + Step - from);
            }
        }

        return longest;
    }

    /// <summary>Windows whose drift is not in its interval.</summary>
    public IEnumerable<string> DriftMisses(IEnumerable<OffsetWindow> windows)
    {
        foreach (var window in windows.Where(window => window.IsProven))
        {
            var drift = (TruthAt(window.EndNs) - TruthAt(window.StartNs)) / (window.EndNs - window.StartNs) * 1e6;
            if (drift < window.SkewLowPpm - 0.002 || drift > window.SkewHighPpm + 0.002)
                yield return $"seed {Seed}: {drift:F3} ppm not in [{window.SkewLowPpm:F3}, {window.SkewHighPpm:F3}] "
                    + $"at {window.ReferenceNs / 1e9:F1} s";
        }
    }

    private ClockStatus PeerStatus(ClockProbe probe)
    {
        // The last time at which B's own clock stood at its phase of a second.
        var sampled = ((long)Math.Floor((probe.ReceivedNs / 1e9) - Phase) * Second) + (long)(Phase * 1e9);
        var slept = Sleep is var (from, length) && sampled > Consumer(from + length) ? (long)length : 0;
        return new ClockStatus(sampled, 0, -1, 0, slept);
    }

    private double Consumer(double at) => at + TruthAt(at);

    private double Queue(Random random) => JitterNs * Math.Exp(Spread * Normal(random));

    private static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
