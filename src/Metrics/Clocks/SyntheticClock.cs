namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// A clock that is wrong in a known way, to test what the suite reports of clocks: a pure function of the host's
/// monotonic clock, so that whoever knows its text can compute what it read at any moment.
/// </summary>
/// <remarks>
/// At host time <c>h</c> it reads <c>h + offset + floor(skew · (h - anchor) + walk(h - anchor)) + steps so far</c>,
/// unless it stands still. It pretends to be another machine's crystal: the host's own rate and suspension are watched
/// as ever, what is planted of both added, and the identity of the clock does not betray it.
/// </remarks>
public sealed class SyntheticClock
{
    /// <summary>The environment variable that sets it, read once when a process starts.</summary>
    public const string Variable = "REDISLATENCY_CLOCK";

    /// <summary>Why what is measured by one is never valid, whichever process of the run reads it.</summary>
    public const string Fault =
        "clock: synthetic. A run with a clock that is not the host's is a test of the tool itself.";

    // 146 years: moments beyond it are "never" or "always", not readings.
    private const long Never = 1L << 62;

    private readonly long _anchorNs;
    private readonly long _offsetNs;
    private readonly double _skew;
    private readonly FrequencyWalk? _walk;
    private readonly IReadOnlyList<SyntheticChange> _changes;
    private readonly SyntheticPiece[] _pieces;

    internal SyntheticClock(SyntheticClockText text, long anchorNs)
    {
        _anchorNs = anchorNs;
        _offsetNs = text.OffsetNs;
        _skew = text.SkewPpm / 1e6;
        _walk = text.WalkPpm > 0 ? new FrequencyWalk(text.WalkPpm, text.Seed) : null;
        _changes = text.Changes;
        var pieces = new List<SyntheticPiece> { new(-Never, 0, 0, 0, null) };
        foreach (var afterNs in _changes.SelectMany(change => new[] { change.AfterNs, change.EndsAfterNs })
            .Distinct().Order())
        {
            pieces.Add(PieceAfter(pieces[^1], afterNs));
        }

        _pieces = [.. pieces];
    }

    /// <summary>When it jumps, begins to stand or goes on, in nanoseconds of the host's clock.</summary>
    public IEnumerable<long> BreaksHostNs => _changes
        .Where(change => change.IsStand || change.Kind == SyntheticChangeKind.Step)
        .SelectMany(change => new[] { change.AfterNs, change.EndsAfterNs })
        .Distinct().Order().Select(afterNs => _anchorNs + afterNs);

    /// <summary>The clock that the environment asked for; null where it asked for none, or wrongly.</summary>
    public static SyntheticClock? OfProcess => MonotonicClock.Setting.Clock;

    /// <summary>What is wrong with the text in the environment, for the user; null where nothing is.</summary>
    public static string? Problem => MonotonicClock.Setting.Problem;

    /// <summary>
    /// Reads a text such as <c>offset=12.3ms,skew=12ppm,walk=0.05ppm,seed=7,step=5ms@20s,step=-3ms@30s,anchor=NS</c>.
    /// </summary>
    /// <param name="text">The parts in any order, each at most once but those that say when.</param>
    /// <param name="anchorNs">
    /// Host time from which skew, walk and all that says when count, where the text has no anchor; without either, now.
    /// </param>
    /// <exception cref="FormatException">
    /// It cannot be read; the message says what is wrong and what is right.
    /// </exception>
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
        var piece = _pieces.Length - 1;
        while (hostNs < _pieces[piece].StartNs)
            piece--;
        return Read(_pieces[piece], hostNs);
    }

    /// <summary>
    /// The first host time from which on this clock never reads less than that: when to wake who waits for it. After
    /// a step back that is the later of the two moments with the same reading.
    /// </summary>
    public long ToHost(long ns)
    {
        if (ns is >= Never or <= -Never)
            return ns;
        var piece = _pieces.Length - 1;
        while (piece > 0 && Read(_pieces[piece], _pieces[piece].StartNs) >= ns)
            piece--;
        // Where the piece ends before the reading came, the jump at its end is the first moment at or after it.
        var endNs = piece + 1 < _pieces.Length ? _pieces[piece + 1].StartNs : long.MaxValue;
        return _pieces[piece].StandsAtNs is null ? Math.Min(FirstReading(_pieces[piece], ns), endNs) : endNs;
    }

    internal long SlewedNs(long hostNs) => (long)_changes
        .Where(change => change.Kind == SyntheticChangeKind.Slew)
        .Sum(change => change.Amount * Math.Max(0, hostNs - _anchorNs - change.AfterNs));

    internal long SuspendedNs(long hostNs) => _changes
        .Where(change => change.Kind == SyntheticChangeKind.Suspension)
        .Sum(change => Math.Clamp(hostNs - _anchorNs - change.AfterNs, 0, (long)change.Amount));

    private SyntheticPiece PieceAfter(in SyntheticPiece last, long afterNs)
    {
        var startNs = _anchorNs + afterNs;
        var piece = last with { StartNs = startNs, GainedNs = last.GainedBy(startNs), StandsAtNs = null };
        // A crystal sleeps with its host: the clock goes on from where it stood.
        if (_changes.Any(change => change.Kind == SyntheticChangeKind.Suspension && change.EndsAfterNs == afterNs))
            piece = piece with { JumpedNs = piece.JumpedNs + last.StandsAtNs!.Value - Read(piece, startNs) };
        foreach (var change in _changes.Where(change => change.AfterNs == afterNs))
        {
            if (change.Kind == SyntheticChangeKind.Step)
                piece = piece with { JumpedNs = piece.JumpedNs + (long)change.Amount };
            else if (!change.IsStand)
                piece = piece with { Rate = piece.Rate + change.Amount };
        }

        return _changes.Any(change => change.IsStand && change.AfterNs <= afterNs && afterNs < change.EndsAfterNs)
            ? piece with { StandsAtNs = last.StandsAtNs ?? Read(piece, startNs) }
            : piece;
    }

    private long Read(in SyntheticPiece piece, long hostNs)
    {
        if (piece.StandsAtNs is { } standsAtNs)
            return standsAtNs;
        var elapsed = hostNs - _anchorNs;
        var gained = (_skew * elapsed) + piece.GainedBy(hostNs);
        if (_walk is not null && elapsed > 0)
            gained += _walk.GainedNs(elapsed);
        return hostNs + _offsetNs + (long)Math.Floor(gained) + piece.JumpedNs;
    }

    // The first host time at which a clock that always was as in this piece reads at least that.
    private long FirstReading(in SyntheticPiece piece, long ns)
    {
        var host = ns - _offsetNs - piece.JumpedNs;
        // Each turn leaves at most a few hundredths of the error, the greatest rates allowed.
        for (var turn = 0; turn < 16; turn++)
            host += ns - Read(piece, host);
        while (Read(piece, host) >= ns)
            host--;
        while (Read(piece, host) < ns)
            host++;
        return host;
    }
}

/// <summary>A synthetic clock between two of its changes; it stands still at a reading, where there is one.</summary>
internal readonly record struct SyntheticPiece(
    long StartNs, long JumpedNs, double GainedNs, double Rate, long? StandsAtNs)
{
    public double GainedBy(long hostNs) => Rate == 0 ? GainedNs : GainedNs + (Rate * (hostNs - StartNs));
}

/// <summary>
/// The synthetic clock that the environment asks for. Reading it never throws: what a static initialiser throws would
/// reach the user as a stack trace.
/// </summary>
internal sealed record SyntheticClockSetting(SyntheticClock? Clock, string? Problem)
{
    public static SyntheticClockSetting Read(string? text, long hostNowNs)
    {
        if (string.IsNullOrWhiteSpace(text))
            return new SyntheticClockSetting(null, null);
        try
        {
            var clock = SyntheticClock.Parse(text, hostNowNs);
            // A frame's stamps start at zero.
            return clock.FromHost(hostNowNs) > 0
                ? new SyntheticClockSetting(clock, null)
                : Wrong(text, $"the clock would read {clock.FromHost(hostNowNs)} ns now; it must be above zero");
        }
        catch (FormatException exception)
        {
            return Wrong(text, exception.Message);
        }
    }

    private static SyntheticClockSetting Wrong(string text, string problem) =>
        new(null, $"{problem} (from the environment, {SyntheticClock.Variable}={text})");
}

/// <summary>
/// A crystal's frequency that wanders: once a second it moves by a normal step of a tenth of the bound, and is
/// reflected at the bound. What it gains is the integral, linear within a second; after a day it keeps its last
/// frequency.
/// </summary>
internal sealed class FrequencyWalk
{
    private const long SegmentNs = 1_000_000_000;
    private const int Segments = 86_400;

    private readonly double[] _frequency = new double[Segments];
    private readonly double[] _gainedNs = new double[Segments];

    public FrequencyWalk(double boundPpm, ulong seed)
    {
        var bound = boundPpm / 1e6;
        var state = seed;
        var frequency = 0.0;
        var gained = 0.0;
        for (var segment = 0; segment < Segments; segment++)
        {
            frequency += NextNormal(ref state) * bound / 10;
            frequency = Math.Clamp(
                Math.Abs(frequency) > bound ? (Math.Sign(frequency) * 2 * bound) - frequency : frequency,
                -bound,
                bound);
            _frequency[segment] = frequency;
            _gainedNs[segment] = gained;
            gained += frequency * SegmentNs;
        }
    }

    public double GainedNs(long elapsedNs)
    {
        var segment = Math.Min(elapsedNs / SegmentNs, Segments - 1);
        return _gainedNs[segment] + (_frequency[segment] * (elapsedNs - (segment * SegmentNs)));
    }

    // The sum of twelve uniform numbers (Irwin-Hall) is normal enough, and the same to the last bit everywhere.
    private static double NextNormal(ref ulong state)
    {
        var sum = -6.0;
        for (var i = 0; i < 12; i++)
            sum += (NextBits(ref state) >> 11) * (1.0 / (1UL << 53));
        return sum;
    }

    // SplitMix64 (Steele, Lea and Flood 2014).
    private static ulong NextBits(ref ulong state)
    {
        var bits = state += 0x9E3779B97F4A7C15;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
    }
}
