using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// The offset between the clocks of two hosts from four-stamp probes, window by window, with a bound that holds as long
/// as the assumptions do. One pair of clocks, one thread.
/// </summary>
/// <remarks>
/// Every probe bounds the offset from above when it was sent (t2 - t1 less the forward floor) and from below when it
/// returned (t3 - t4 plus the back floor). A window's interval is what all of these allow: by the drift bound, by a
/// line with a wander over the minute around it, and by what others claim. The offset is its middle, the bound half of
/// its width. A window is final when what comes in the five seconds after it is known.
/// <c>docs/clocks.md</c> has the reasoning.
/// </remarks>
public sealed partial class OffsetTracker
{
    private const long LookAheadNs = LinearWindows.After * OffsetRegime.SliceNs;
    private const long LargestStampNs = 1L << 61;

    private readonly OffsetAssumptions _assumptions;
    private readonly DriftBudget _budget;
    private readonly RegimeTimeline _timeline;
    private readonly LinearWindows _lines;
    private readonly Neighbourhood _near;
    private readonly ClaimBook _claims;
    private readonly ClaimDisplacement _displacement = new();
    private readonly Queue<OffsetWindow> _final = new();
    private long _probes;
    private long _pairs;
    private long _acceptedForward;
    private long _acceptedBack;
    private long _impossible;

    /// <summary>A tracker without probes yet.</summary>
    /// <param name="assumptions">What the bound rests on.</param>
    public OffsetTracker(OffsetAssumptions assumptions)
    {
        ArgumentNullException.ThrowIfNull(assumptions);
        _assumptions = assumptions;
        _budget = new DriftBudget(assumptions);
        _timeline = new RegimeTimeline(assumptions, _budget);
        _lines = new LinearWindows(_budget, assumptions.WanderPpm);
        _near = new Neighbourhood(_budget, _lines);
        _claims = new ClaimBook(_budget);
    }

    /// <summary>What became of the probes so far; verdicts may lag the newest probes by some seconds.</summary>
    public OffsetTotals Totals => new(_probes, _pairs, _acceptedForward, _acceptedBack, _impossible,
        _timeline.Contradicting, _timeline.Straddling, _timeline.Steps);

    /// <summary>
    /// The offset as far as it is known now, by the drift bound alone; null before the first probe, and
    /// after a break before the next. Final windows are
    /// narrower, and may differ where later probes tell more.
    /// </summary>
    public OffsetWindow? Provisional => MakeProvisional();

    /// <summary>What was assumed, or what was seen where that was worse.</summary>
    public OffsetAssumptions Assumptions => _assumptions with { OscillatorPpm = _budget.OscillatorPpm };

    /// <summary>
    /// The largest step of a clock that the windows made so far leave room for, in nanoseconds: the probes around it
    /// left less than the quickest of them alone, as queues of different moments do and as a step does. E contains it.
    /// Of windows that claims narrow it is what both ways show of a step under the claim.
    /// </summary>
    public long UnseenStepNs { get; private set; }

    /// <summary>
    /// Whether the probes showed a step of a clock under what is claimed of it, in any window so far.
    /// </summary>
    public bool HasDisplacedClaims { get; private set; }

    /// <summary>
    /// The longest time between two probes at which the offset was surely within E, in nanoseconds: what a clock does
    /// and undoes in less shows in none. Not of time between two regimes.
    /// </summary>
    public long UnseenMomentNs { get; private set; }

    /// <summary>
    /// The shortest round trip of any probe, by A's clock alone, residence included, in nanoseconds; null without any.
    /// Probes that bound nothing are among them.
    /// </summary>
    public long? MinRoundTripNs { get; private set; }

    /// <summary>Takes what one exchange says of the offset.</summary>
    public void Add(in ClockProbe probe) => Add(probe, isClean: false, endsCleanPair: false);

    /// <summary>
    /// Takes both probes of a coded pair. All probes bound the offset, whether their gap changed or not, because a
    /// bound by a queued probe is only wide; the clean ones make the cross-check
    /// <see cref="OffsetWindow.CodedOffsetNs"/>.
    /// </summary>
    public void Add(in ProbePair pair)
    {
        var isForward = CodedPairs.IsCleanForward(pair);
        var isBack = CodedPairs.IsCleanBack(pair);
        _pairs++;
        _acceptedForward += isForward ? 1 : 0;
        _acceptedBack += isBack ? 1 : 0;
        Add(pair.First, isForward && isBack, endsCleanPair: false);
        Add(pair.Second, isForward && isBack, isForward && isBack);
    }

    /// <summary>Takes somebody's word of the offset; ignored when the assumptions do not use claims.</summary>
    /// <exception cref="ArgumentException">The claim ends before it begins.</exception>
    public void Add(OffsetClaim claim)
    {
        ArgumentNullException.ThrowIfNull(claim);
        if (claim.LowNs > claim.HighNs)
            throw new ArgumentException($"The claim {claim.Name} ends before it begins.", nameof(claim));
        if (_assumptions.UsesClaims)
            _claims.Add(claim);
    }

    /// <summary>
    /// Tells the rate of one clock against its host's raw oscillator, as a mean since the last time it was told.
    /// </summary>
    /// <param name="side">Whose.</param>
    /// <param name="atNs">When it was sampled, on A's clock.</param>
    /// <param name="ppm">How fast it runs against the oscillator, in parts per million; NaN: nobody knows.</param>
    public void SetRate(ClockSide side, long atNs, double ppm)
    {
        _budget.Add(side, atNs, ppm);
        Advance();
    }

    /// <summary>
    /// Whether both hosts have said how fast their clocks ran at an instant, as far as they say it at all. Instants of
    /// which they have not when the pair is complete have the bound of clocks that nobody samples.
    /// </summary>
    /// <param name="atNs">The instant, on A's clock.</param>
    public bool KnowsRates(long atNs) => _budget.Knows(atNs);

    /// <summary>
    /// Tells that one of the hosts was suspended. A step near it is given this cause; where the probes show none, the
    /// line is broken there all the same, and the bound covers both sides.
    /// </summary>
    /// <param name="fromNs">The earliest instant at which it may have begun, on A's clock.</param>
    /// <param name="toNs">The latest at which it may have ended.</param>
    public void AnnounceSuspension(long fromNs, long toNs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(toNs, fromNs);
        _timeline.Suspend(fromNs, toNs);
    }

    /// <summary>
    /// Tells that of one host all suspensions before an instant have been announced. Once a host is known to look for
    /// them, probes wait for that word: they may be of after a suspension that nobody has found yet.
    /// </summary>
    /// <param name="side">Whose.</param>
    /// <param name="untilNs">The instant, on A's clock.</param>
    public void SetAwake(ClockSide side, long untilNs) => _timeline.SetAwake(side, untilNs);

    /// <summary>Takes the next window that is final.</summary>
    public bool TryTake([NotNullWhen(true)] out OffsetWindow? window) => _final.TryDequeue(out window);

    /// <summary>
    /// No more probes come: all up to <paramref name="endNs"/> becomes final, with a growing bound after the last
    /// probe.
    /// </summary>
    /// <param name="endNs">The end of what is measured, on A's clock.</param>
    public void Complete(long endNs)
    {
        if (_isComplete || !_timeline.HasStarted)
            return;
        _isComplete = true;
        _budget.Complete();
        _timeline.Flush();
        FinishUntil(endNs);
    }

    private void Add(in ClockProbe probe, bool isClean, bool endsCleanPair)
    {
        ObjectDisposedException.ThrowIf(_isComplete, this);
        _probes++;
        if (IsImpossible(probe))
        {
            _impossible++;
            return;
        }

        var roundTripNs = probe.ReturnedNs - probe.SentNs;
        MinRoundTripNs = Math.Min(MinRoundTripNs ?? roundTripNs, roundTripNs);

        _timeline.Append(probe, isClean, endsCleanPair);
        FinishSettled();
    }

    private void Advance()
    {
        if (!_timeline.HasStarted || _isComplete)
            return;
        _timeline.Advance();
        FinishSettled();
    }

    private bool IsImpossible(in ClockProbe probe) =>
        !IsStamp(probe.SentNs) || !IsStamp(probe.ReceivedNs) || !IsStamp(probe.EchoedNs) || !IsStamp(probe.ReturnedNs)
        || probe.ReturnedNs < probe.SentNs || probe.EchoedNs < probe.ReceivedNs
        || probe.NetworkNs < -4 * _assumptions.StampErrorNs;

    private static bool IsStamp(long ns) => ns is > -LargestStampNs and < LargestStampNs;
}

/// <summary>What became of the probes of a pair of clocks.</summary>
/// <param name="Probes">All that were given.</param>
/// <param name="Pairs">Coded pairs among them: each is two probes.</param>
/// <param name="AcceptedForward">Pairs whose gap arrived at B as it was sent: neither met a queue on the way.</param>
/// <param name="AcceptedBack">Pairs whose gap arrived back at A as B sent it.</param>
/// <param name="Impossible">
/// Probes that no clocks can produce: returned before sent, echoed before received, or kept for longer than they were
/// away. They bound nothing.
/// </param>
/// <param name="Contradicting">
/// Probes that contradicted those around them, without enough others to make it a step. They bound nothing, and the
/// windows they fall into are not proven.
/// </param>
/// <param name="Straddling">Probes that were under way while a clock jumped. They bound nothing.</param>
/// <param name="Steps">Jumps of one of the clocks.</param>
public readonly record struct OffsetTotals(
    long Probes,
    long Pairs,
    long AcceptedForward,
    long AcceptedBack,
    long Impossible,
    long Contradicting,
    long Straddling,
    long Steps);
