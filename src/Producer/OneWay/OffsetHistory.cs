using RedisLatency.Metrics.Clocks.Offsets;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results.Records.OneWay;
using ClockBreak = RedisLatency.Metrics.Clocks.Offsets.OffsetBreak;
using RecordedBreak = RedisLatency.Metrics.Results.Records.OneWay.OffsetBreak;

namespace RedisLatency.Producer.OneWay;

/// <summary>What the windows of a pair came to, however many there were.</summary>
internal sealed class OffsetHistory
{
    private const int MostBreaks = 100;

    private readonly LatencyHistogram _errors = LatencyHistogram.ForLatency();
    private readonly List<RecordedBreak> _breaks = [];
    private readonly Dictionary<string, long> _contradicted = [];
    private readonly HashSet<OffsetClaimKind> _agreed = [];
    private OffsetWindow? _last;
    private long _worst;
    private long _windows;
    private long _proven;
    private long _contradictedWindows;

    /// <summary>The smallest round trip of a probe less the residence; null without probes.</summary>
    public long? MinNetworkNs { get; private set; }

    /// <summary>What θ rests on, as the record has it.</summary>
    public string Mode => _windows == 0 ? "unknown"
        : _agreed.Contains(OffsetClaimKind.SameClock) ? "same-clock"
        : _agreed.Contains(OffsetClaimKind.Utc) ? "probes∩utc"
        : "probes";

    /// <summary>In how many windows the probes contradicted a claim.</summary>
    public long ContradictedWindows(string claim) => _contradicted.GetValueOrDefault(claim);

    /// <summary>Takes the next window.</summary>
    public void Add(OffsetWindow window)
    {
        _last = window;
        _windows++;
        _proven += window.IsProven ? 1 : 0;
        _contradictedWindows += window.IsContradicted ? 1 : 0;
        _worst = Math.Max(_worst, window.ErrorNs);
        _errors.Record(window.ErrorNs);
        if (window.MinNetworkNs >= 0)
            MinNetworkNs = Math.Min(MinNetworkNs ?? long.MaxValue, window.MinNetworkNs);
        if (window.Break is not (ClockBreak.None or ClockBreak.Start) && _breaks.Count < MostBreaks)
            _breaks.Add(new RecordedBreak(window.StartNs, BreakNames.Of(window.Break), window.StepNs));
        foreach (var claim in window.Claims)
        {
            if (claim.Agrees && !window.IsContradicted)
                _agreed.Add(claim.Kind);
            if (!claim.Agrees)
                _contradicted[claim.Name] = _contradicted.GetValueOrDefault(claim.Name) + 1;
        }
    }

    /// <summary>All of them together; null without windows.</summary>
    /// <param name="steps">How often a clock stepped.</param>
    public PairOffset? Describe(long steps) => _last is not { } last ? null : new PairOffset
    {
        OffsetNs = last.OffsetAt(last.EndNs),
        AtNs = last.EndNs,
        // The histogram rounds up: the median of equal bounds would be above the worst of them.
        ErrorMedianNs = Math.Min(_worst, _errors.ValueAtPercentile(50)),
        ErrorWorstNs = _worst,
        SkewPpm = last.SkewPpm,
        SkewLowPpm = last.SkewLowPpm,
        SkewHighPpm = last.SkewHighPpm,
        Windows = _windows,
        ProvenWindows = _proven,
        ContradictedWindows = _contradictedWindows,
        Steps = (int)steps,
        Breaks = [.. _breaks],
    };
}
