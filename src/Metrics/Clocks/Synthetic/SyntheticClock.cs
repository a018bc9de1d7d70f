namespace RedisLatency.Metrics.Clocks.Synthetic;

/// <summary>
/// A clock that is wrong in a known way, to test what the suite reports of clocks: a pure function of the host's
/// monotonic clock, so that whoever knows its text can compute what it read at any moment.
/// </summary>
/// <remarks>
/// At host time <c>h</c> it reads <c>h + offset + floor(skew · (h - anchor) + walk(h - anchor)) + steps so far</c>.
/// It pretends to be another machine's crystal: the host's own rate and suspension are watched as ever, and the
/// identity of the clock does not betray it.
/// </remarks>
public sealed class SyntheticClock
{
    /// <summary>The environment variable that sets it, read once when a process starts.</summary>
    public const string Variable = "REDISLATENCY_CLOCK";

    // 146 years: moments beyond it are "never" or "always", not readings.
    private const long Never = 1L << 62;

    private readonly long _anchorNs;
    private readonly long _offsetNs;
    private readonly double _skew;
    private readonly FrequencyWalk? _walk;
    private readonly long[] _stepHostNs;
    private readonly long[] _stepTotalNs;

    internal SyntheticClock(SyntheticClockText text, long anchorNs)
    {
        _anchorNs = anchorNs;
        _offsetNs = text.OffsetNs;
        _skew = text.SkewPpm / 1e6;
        _walk = text.WalkPpm > 0 ? new FrequencyWalk(text.WalkPpm, text.Seed) : null;
        var steps = text.Steps.GroupBy(step => step.AfterNs, step => step.StepNs).OrderBy(step => step.Key).ToArray();
        _stepHostNs = [.. steps.Select(step => anchorNs + step.Key)];
        _stepTotalNs = new long[steps.Length];
        var total = 0L;
        for (var i = 0; i < steps.Length; i++)
            _stepTotalNs[i] = total += steps[i].Sum();
    }

    /// <summary>The clock that the environment asked for; null where it asked for none, or wrongly.</summary>
    public static SyntheticClock? OfProcess => MonotonicClock.Setting.Clock;

    /// <summary>What is wrong with the text in the environment, for the user; null where nothing is.</summary>
    public static string? Problem => MonotonicClock.Setting.Problem;

    /// <summary>
    /// Reads a text such as <c>offset=12.3ms,skew=12ppm,walk=0.05ppm,seed=7,step=5ms@20s,step=-3ms@30s,anchor=NS</c>.
    /// </summary>
    /// <param name="text">The parts in any order, each but step at most once.</param>
    /// <param name="anchorNs">
    /// Host time from which skew, walk and steps count, where the text has no anchor; without either, now.
    /// </param>
    /// <exception cref="FormatException">It cannot be read; the message says what is wrong and what is right.</exception>
    public static SyntheticClock Parse(string text, long? anchorNs = null)
    {
        var parts = SyntheticClockText.Parse(text);
        return new SyntheticClock(parts, parts.AnchorNs ?? anchorNs ?? MonotonicClock.HostNowNs());
    }

    /// <summary>What this clock reads when the host's monotonic clock reads that.</summary>
    public long FromHost(long hostNs)
    {
        if (hostNs is >= Never or <= -Never)
            return hostNs;
        var steps = 0L;
        for (var i = _stepHostNs.Length - 1; i >= 0; i--)
        {
            if (hostNs >= _stepHostNs[i])
            {
                steps = _stepTotalNs[i];
                break;
            }
        }

        return Unstepped(hostNs) + steps;
    }

    /// <summary>
    /// The first host time from which on this clock never reads less than that: when to wake who waits for it. After
    /// a step back that is the later of the two moments with the same reading.
    /// </summary>
    public long ToHost(long ns)
    {
        if (ns is >= Never or <= -Never)
            return ns;
        for (var piece = _stepHostNs.Length; piece > 0; piece--)
        {
            var start = _stepHostNs[piece - 1];
            var unstepped = ns - _stepTotalNs[piece - 1];
            if (Unstepped(start) < unstepped)
                return Before(FirstReading(unstepped), piece);
        }

        return Before(FirstReading(ns), 0);
    }

    // Where the piece ends before the reading came, the step at its end is the first moment at or after it.
    private long Before(long hostNs, int piece) =>
        piece < _stepHostNs.Length ? Math.Min(hostNs, _stepHostNs[piece]) : hostNs;

    private long Unstepped(long hostNs)
    {
        var elapsed = hostNs - _anchorNs;
        var gained = _skew * elapsed;
        if (_walk is not null && elapsed > 0)
            gained += _walk.GainedNs(elapsed);
        return hostNs + _offsetNs + (long)Math.Floor(gained);
    }

    // The first host time at which the clock without its steps reads at least that.
    private long FirstReading(long ns)
    {
        var host = ns - _offsetNs;
        // Each turn leaves at most a hundredth of the error, the greatest rate allowed.
        for (var turn = 0; turn < 16; turn++)
            host += ns - Unstepped(host);
        while (Unstepped(host) >= ns)
            host--;
        while (Unstepped(host) < ns)
            host++;
        return host;
    }
}
