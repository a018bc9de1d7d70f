namespace RedisLatency.Metrics.Clocks.Offsets;

/// <summary>
/// The offset between the clocks of two hosts from four-stamp probes, window by window, with a bound that holds as long
/// as the assumptions do. One pair of clocks, one thread.
/// </summary>
public sealed class OffsetTracker(OffsetAssumptions assumptions)
{
    private const long SliceNs = 1_000_000_000;
    private const int LookAheadSlices = 5;

    private readonly List<ClockProbe> _probes = [];
    private readonly List<OffsetClaim> _claims = [];
    private readonly (long AtNs, double Ppm)[] _rates = new (long, double)[2];
    private readonly List<(OffsetBreak Cause, long FromNs, long ToNs)> _announced = [];
    private readonly Queue<OffsetWindow> _final = new();
    private long _startNs = long.MinValue;
    private long _newestNs = long.MinValue;
    private bool _complete;
    private OffsetTotals _totals;

    /// <summary>What became of the probes so far.</summary>
    public OffsetTotals Totals => _totals;

    /// <summary>The offset as far as it is known now; windows that are final may still differ from it.</summary>
    public OffsetWindow? Provisional => _probes.Count == 0 ? null : Solve(_newestNs - SliceNs, _newestNs);

    /// <summary>Takes what one exchange says of the offset.</summary>
    public void Add(in ClockProbe probe)
    {
        _totals = _totals with { Probes = _totals.Probes + 1 };
        if (probe.ReturnedNs < probe.SentNs || probe.EchoedNs < probe.ReceivedNs || probe.NetworkNs < 0)
        {
            _totals = _totals with { Impossible = _totals.Impossible + 1 };
            return;
        }

        if (_startNs == long.MinValue)
            _startNs = probe.SentNs;
        _newestNs = Math.Max(_newestNs, probe.ReturnedNs);
        _probes.Add(probe);
        while (_newestNs >= _startNs + ((LookAheadSlices + 1) * SliceNs))
            Finish(_startNs + SliceNs);
    }

    /// <summary>Takes both probes of a coded pair.</summary>
    public void Add(in ProbePair pair)
    {
        _totals = _totals with { Pairs = _totals.Pairs + 1 };
        Add(pair.First);
        Add(pair.Second);
    }

    /// <summary>Takes somebody's word of the offset.</summary>
    public void Add(OffsetClaim claim)
    {
        ArgumentNullException.ThrowIfNull(claim);
        _claims.Add(claim);
    }

    /// <summary>
    /// Tells the rate of one clock against its host's raw oscillator, as a mean since the last time it was told.
    /// </summary>
    /// <param name="side">Whose.</param>
    /// <param name="atNs">When it was sampled, on A's clock.</param>
    /// <param name="ppm">How fast it runs against the oscillator, in parts per million; NaN: nobody knows.</param>
    public void SetRate(ClockSide side, long atNs, double ppm) =>
        _rates[(int)side] = (atNs, ppm);

    /// <summary>Tells that one of the clocks may have jumped; the next step that is found there bears this name.</summary>
    /// <param name="cause">What happened.</param>
    /// <param name="fromNs">The earliest instant at which it may have, on A's clock.</param>
    /// <param name="toNs">The latest.</param>
    public void Announce(OffsetBreak cause, long fromNs, long toNs) =>
        _announced.Add((cause, fromNs, toNs));

    /// <summary>Takes the next window that is final.</summary>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out OffsetWindow? window) =>
        _final.TryDequeue(out window);

    /// <summary>No more probes come: all up to <paramref name="endNs"/> becomes final.</summary>
    /// <param name="endNs">The end of what is measured, on A's clock.</param>
    public void Complete(long endNs)
    {
        while (!_complete && _startNs != long.MinValue && _startNs < endNs)
            Finish(Math.Min(endNs, _startNs + SliceNs));
        _complete = true;
    }

    private void Finish(long endNs)
    {
        _final.Enqueue(Solve(_startNs, endNs));
        _startNs = endNs;
        _probes.RemoveAll(probe => probe.ReturnedNs < endNs - (10 * SliceNs));
    }

    private OffsetWindow Solve(long startNs, long endNs)
    {
        var atNs = startNs + ((endNs - startNs) / 2);
        var ppm = 2 * (assumptions.OscillatorPpm + assumptions.UnsampledSlewPpm);
        long low = long.MinValue, high = long.MaxValue;
        foreach (var probe in _probes)
        {
            high = Math.Min(high, probe.ReceivedNs - probe.SentNs - assumptions.ForwardFloorNs
                + (long)(ppm * 1e-6 * Math.Abs(probe.SentNs - atNs)));
            low = Math.Max(low, probe.EchoedNs - probe.ReturnedNs + assumptions.BackFloorNs
                - (long)(ppm * 1e-6 * Math.Abs(probe.ReturnedNs - atNs)));
        }

        var error = ((high - low) / 2) + 1;
        return new OffsetWindow
        {
            StartNs = startNs,
            EndNs = endNs,
            ReferenceNs = atNs,
            OffsetNs = low + ((high - low) / 2),
            SkewPpm = 0,
            SkewLowPpm = -ppm,
            SkewHighPpm = ppm,
            DriftPpm = ppm,
            ErrorAtStartNs = error + (long)(ppm * 1e-6 * (atNs - startNs)),
            ErrorAtReferenceNs = error,
            ErrorAtEndNs = error + (long)(ppm * 1e-6 * (endNs - atNs)),
            ProbeLowNs = low,
            ProbeHighNs = high,
            Probes = _probes.Count,
            IsProven = true,
        };
    }
}
