namespace RedisLatency.Metrics.Regimes;

/// <summary>A time in which neither clock jumped, as far as can be told: its slices, and a running bound.</summary>
internal sealed class OffsetRegime(int id, OffsetBreak cause, long startNs, long originNs)
{
    public const long SliceNs = 1_000_000_000;

    private readonly List<OffsetSlice> _slices = [];
    private OffsetInterval _straddling = OffsetInterval.Everything;

    public int Id => id;

    public OffsetBreak Cause { get; set; } = cause;

    /// <summary>Whether what parts it from the regime before was more than a jump.</summary>
    public bool BeganInDoubt { get; set; }

    /// <summary>From when on it certainly holds, on A's clock.</summary>
    public long StartNs => startNs;

    /// <summary>Until when it certainly holds.</summary>
    public long EndNs { get; set; } = long.MaxValue;

    /// <summary>The first slice that a hull may reach back to.</summary>
    public long HullFrom { get; set; } = long.MinValue;

    /// <summary>What all probes before <see cref="CarriedX"/> say of the offset there, by the drift bound.</summary>
    public OffsetInterval Carried { get; private set; } = OffsetInterval.Everything;

    /// <summary>The shortest round trip of the last probes, less floors; 0 before any.</summary>
    public double QuickestNs { get; set; }

    public double CarriedX { get; private set; } = startNs - originNs;

    /// <summary>
    /// Every offset at which a probe was stamped that was under way before it began, if one of them at each was as
    /// quick as that; null without such probes.
    /// </summary>
    public OffsetInterval? StraddledBy(double roundTripNs) => _straddling.IsBounded
        ? _straddling.GrowTo(roundTripNs)
        : null;

    /// <summary>The slices that a hull may still need, in order; seconds without probes have none.</summary>
    public IReadOnlyList<OffsetSlice> Slices => _slices;

    public OffsetSlice? Find(long index)
    {
        var found = IndexOf(index);
        return found >= 0 ? _slices[found] : null;
    }

    public void Take(in TestedProbe probe, Stack<OffsetSlice> spare)
    {
        if (probe.Verdict == ProbeVerdict.Contradicting)
        {
            At(probe.SentX, spare).CountContradicting();
            At(probe.SentX, spare).IsDoubted = At(probe.ReturnedX, spare).IsDoubted = true;
            return;
        }

        var sent = At(probe.SentX, spare);
        sent.CountSent(probe);
        sent.Upper.Add(probe.SentX, probe.High);
        At(probe.ReturnedX, spare).Mirrored.Add(probe.ReturnedX, -probe.Low);
    }

    /// <summary>Takes what a probe says that was under way before it began.</summary>
    public void TakeStraddling(in TestedProbe probe) =>
        _straddling = new OffsetInterval(Math.Max(_straddling.Low, probe.Low), Math.Min(_straddling.High, probe.High));

    /// <summary>Runs the bound on to an instant, and lets go of what no hull needs any more.</summary>
    public void CarryTo(double x, OffsetInterval bound, long oldestNeeded, Stack<OffsetSlice> spare)
    {
        Carried = bound;
        CarriedX = x;
        var unneeded = 0;
        while (unneeded < _slices.Count && _slices[unneeded].Index < oldestNeeded)
            spare.Push(_slices[unneeded++]);
        _slices.RemoveRange(0, unneeded);
    }

    public void Release(Stack<OffsetSlice> spare)
    {
        foreach (var slice in _slices)
            spare.Push(slice);
        _slices.Clear();
    }

    private OffsetSlice At(double x, Stack<OffsetSlice> spare)
    {
        var index = (long)Math.Floor(x / SliceNs);
        var found = IndexOf(index);
        if (found >= 0)
            return _slices[found];
        if (!spare.TryPop(out var slice))
            slice = new OffsetSlice();
        slice.Restart(index);
        _slices.Insert(~found, slice);
        return slice;
    }

    private int IndexOf(long index)
    {
        var found = _slices.Count - 1;
        while (found >= 0 && _slices[found].Index > index)
            found--;
        return found >= 0 && _slices[found].Index == index ? found : ~(found + 1);
    }
}

/// <summary>What parts a window of the offset from the one before it.</summary>
public enum OffsetBreak
{
    /// <summary>Nothing: the same line goes on.</summary>
    None,

    /// <summary>The first window of all.</summary>
    Start,

    /// <summary>One of the clocks jumped: the window covers the moment at which it did.</summary>
    Step,

    /// <summary>The sampled rate of one of the clocks against its raw oscillator changed: it is being slewed.</summary>
    RateChange,

    /// <summary>One of the hosts said that it had been suspended.</summary>
    Suspended,

    /// <summary>No probes came for longer than a hull reaches.</summary>
    Gap,

    /// <summary>
    /// The probes fit no line within the wander that is assumed, although they keep the drift bound: a rate that
    /// nobody sampled, or a step smaller than the drift bound can show. The drift bound alone counts around it.
    /// </summary>
    NotLinear,
}
