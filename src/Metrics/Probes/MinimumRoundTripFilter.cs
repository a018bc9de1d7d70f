namespace RedisLatency.Metrics.Probes;

/// <summary>
/// The classical estimate: the quickest probe, whose midpoint is the offset and half of whose round trip is the bound
/// (Cristian; the clock filter of RFC 5905, section 10). Beside it, the hull shows what it is worth.
/// </summary>
public sealed class MinimumRoundTripFilter(long forwardFloorNs = 0, long backFloorNs = 0)
{
    /// <summary>The quickest probe so far; null before the first.</summary>
    public ClockProbe? Quickest { get; private set; }

    /// <summary>Takes a probe into account.</summary>
    public void Add(in ClockProbe probe)
    {
        if (Quickest is not { } quickest || probe.NetworkNs < quickest.NetworkNs)
            Quickest = probe;
    }

    /// <summary>Begins anew.</summary>
    public void Reset() => Quickest = null;

    /// <summary>B minus A when the quickest probe was under way; 0 before the first.</summary>
    public long OffsetNs => Quickest is { } probe ? LowOf(probe) + ((HighOf(probe) - LowOf(probe)) / 2) : 0;

    /// <summary>
    /// How far <see cref="OffsetNs"/> may be from the truth at an instant of A's clock, in nanoseconds.
    /// </summary>
    /// <param name="atNs">The instant.</param>
    /// <param name="driftPpm">How fast the clocks may part, in parts per million.</param>
    /// <returns><see cref="long.MaxValue"/> before the first probe.</returns>
    public long ErrorAt(long atNs, double driftPpm)
    {
        if (Quickest is not { } probe)
            return long.MaxValue;
        var halfNs = (HighOf(probe) - LowOf(probe) + 1) / 2;
        var distanceNs = Math.Max(atNs - probe.SentNs, probe.ReturnedNs - atNs);
        return halfNs + (long)Math.Ceiling(driftPpm * 1e-6 * distanceNs);
    }

    private long HighOf(in ClockProbe probe) => probe.ReceivedNs - probe.SentNs - forwardFloorNs;

    private long LowOf(in ClockProbe probe) => probe.EchoedNs - probe.ReturnedNs + backFloorNs;
}
