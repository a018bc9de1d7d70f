using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>A probe that came back, or the rate of a clock.</summary>
internal readonly record struct WorldEvent(ClockProbe? Probe, ClockSide Side, long AtNs, double Ppm)
{
    public WorldEvent(ClockProbe probe)
        : this(probe, ClockSide.Producer, 0, 0)
    {
    }

    public WorldEvent(ClockSide side, long atNs, double ppm)
        : this(null, side, atNs, ppm)
    {
    }

    public void TellTo(OffsetTracker tracker)
    {
        if (Probe is { } probe)
            tracker.Add(probe);
        else
            tracker.SetRate(Side, AtNs, Ppm);
    }
}
