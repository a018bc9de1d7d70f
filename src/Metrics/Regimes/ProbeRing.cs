namespace RedisLatency.Metrics.Regimes;

/// <summary>Probes in the order of their arrival, each under a number that it keeps; grows up to a limit.</summary>
internal sealed class ProbeRing
{
    public const int Limit = 65_536;

    private TestedProbe[] _probes = new TestedProbe[1024];

    public long Head { get; private set; }
    public long Tail { get; private set; }

    public ref TestedProbe this[long number] => ref _probes[number & (_probes.Length - 1)];

    public ref TestedProbe Append()
    {
        if (Tail - Head == _probes.Length)
            Grow();
        return ref this[Tail++];
    }

    public void RemoveHead() => Head++;

    private void Grow()
    {
        var larger = new TestedProbe[_probes.Length * 2];
        for (var number = Head; number < Tail; number++)
            larger[number & (larger.Length - 1)] = this[number];
        _probes = larger;
    }
}

/// <summary>A probe on its way from its arrival to the slices it bounds; times from the tracker's origin.</summary>
internal struct TestedProbe
{
    public ClockProbe Stamps;

    /// <summary>When it was sent: the offset was at most <see cref="High"/> then.</summary>
    public double SentX;

    public double High;

    /// <summary>When it returned: the offset was at least <see cref="Low"/> then.</summary>
    public double ReturnedX;

    public double Low;

    public ProbeVerdict Verdict;

    /// <summary>The regime it belongs to, or the rival that it follows.</summary>
    public int Regime;

    /// <summary>Whether it belongs to a coded pair that met no queue either way.</summary>
    public bool IsClean;

    public bool EndsCleanPair;
}

internal enum ProbeVerdict
{
    /// <summary>It waits until the clocks' rates of its time are known.</summary>
    Untested,

    Accepted,

    /// <summary>It contradicts the regime, and follows a rival.</summary>
    Suspect,

    /// <summary>It contradicts the others, or itself.</summary>
    Contradicting,

    /// <summary>It was under way while a clock jumped.</summary>
    Straddling,
}
