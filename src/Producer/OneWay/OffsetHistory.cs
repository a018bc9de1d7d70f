using System.Text.Json;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Reports.Figures;
using ClockBreak = RedisLatency.Metrics.Regimes.OffsetBreak;
using RecordedBreak = RedisLatency.Reports.Figures.OffsetBreak;

namespace RedisLatency.Producer.OneWay;

/// <summary>What the windows of a pair came to, however many there were.</summary>
internal sealed class OffsetHistory
{
    private const int MostBreaks = 100;

    private readonly Bounds _claimed = new();
    private readonly Bounds _byProbes = new();
    private readonly List<RecordedBreak> _breaks = [];
    private readonly Dictionary<string, long> _contradicted = [];
    private readonly HashSet<OffsetClaimKind> _agreed = [];
    private long _worstReach;
    private long _windows;
    private long _proven;
    private long _contradictedWindows;
    private long _unbounded;

    /// <summary>The smallest round trip of a probe less the residence; null without probes.</summary>
    public long? MinNetworkNs { get; private set; }

    public string Mode => _windows == 0 ? "unknown"
        : IsRefuted ? "probes"
        : _agreed.Contains(OffsetClaimKind.SameClock) ? "same-clock"
        : _agreed.Contains(OffsetClaimKind.Utc) ? "probes∩utc"
        : "probes";

    public long ContradictedWindows(string claim) => _contradicted.GetValueOrDefault(claim);

    public void Add(OffsetWindow window)
    {
        _windows++;
        _proven += window.IsProven ? 1 : 0;
        _contradictedWindows += window.IsContradicted ? 1 : 0;
        if (window.IsBounded)
        {
            var alone = window.ByProbes ?? window;
            _claimed.Add(window);
            if (alone.IsBounded)
            {
                _byProbes.Add(alone);
                _worstReach = Math.Max(_worstReach, Math.Abs(window.OffsetNs - alone.OffsetNs) + alone.ErrorNs);
            }
        }
        else
        {
            _unbounded++;
        }

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

    /// <summary>Whether a claim was refuted: it then falls for all its windows.</summary>
    public bool IsRefuted => _contradictedWindows > 0;

    /// <summary>How far the offsets used may be off by the probes alone: what no probe could have refuted.</summary>
    public long UnrefutedNs => _worstReach;

    /// <summary>Null without windows of which anything is known.</summary>
    public PairOffset? Describe(long steps)
    {
        var bounds = IsRefuted ? _byProbes : _claimed;
        return bounds.Last is not { } last ? null : new PairOffset
        {
            OffsetNs = last.OffsetAt(last.EndNs),
            AtNs = last.EndNs,
            // The histogram rounds up: the median of equal bounds would be above the worst of them.
            ErrorMedianNs = Math.Min(bounds.WorstNs, bounds.Errors.ValueAtPercentile(50)),
            ErrorWorstNs = bounds.WorstNs,
            SkewPpm = last.SkewPpm,
            SkewLowPpm = last.SkewLowPpm,
            SkewHighPpm = last.SkewHighPpm,
            Windows = _windows,
            ProvenWindows = IsRefuted ? 0 : _proven,
            UnboundedWindows = _unbounded,
            ContradictedWindows = _contradictedWindows,
            Steps = (int)steps,
            Breaks = [.. _breaks],
        };
    }

    private sealed class Bounds
    {
        public LatencyHistogram Errors { get; } = LatencyHistogram.ForLatency();

        public OffsetWindow? Last { get; private set; }

        public long WorstNs { get; private set; }

        public void Add(OffsetWindow window)
        {
            Last = window;
            WorstNs = Math.Max(WorstNs, window.ErrorNs);
            Errors.Record(window.ErrorNs);
        }
    }
}

internal static class BreakNames
{
    public static string Of(ClockBreak cause) => JsonNamingPolicy.KebabCaseLower.ConvertName(cause.ToString());
}
