using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Phases;

/// <summary>A search for the highest rate: its phases, one after the other, and what came of them.</summary>
internal sealed class SearchPlan(PhasePlan phase, LatencyLimit limit)
{
    /// <summary>An overload of two in a hundred is to be as much as the limit within a step.</summary>
    public const int LimitsPerStep = 50;

    public static readonly TimeSpan DefaultStep = TimeSpan.FromSeconds(5);

    /// <summary>In less a percentile has no interval: there are too few blocks.</summary>
    public static readonly TimeSpan LeastStep = TimeSpan.FromSeconds(3);

    private const int Confirmation = 3;
    private const double LongestLowStep = 20;

    // Where the search begins, of what a closed loop came to.
    private const double FirstShare = 0.5;

    // Some more samples than the percentile needs.
    private const double MoreSamples = 1.5;

    // Of the answer, where else the curve has points, unless there is one as near as this.
    private const double Nearby = 0.08;

    private static readonly double[] Curve = [0.1, 0.25, 0.5, 0.75, 0.9];

    // And further where the next rate was not sure to miss: one of these is.
    private static readonly double[] Beyond = [1.1, 1.25];

    // Room in flight for twice the latency that is allowed: what still waits for room waits for the server.
    private const int LeastInFlight = 16;
    private const int MostInFlight = 10_000;
    private const double MoreRoom = 2;

    private static readonly TimeSpan LongestStep = TimeSpan.FromMinutes(30);
    private static readonly TimeSpan EstimateLength = TimeSpan.FromSeconds(2);

    private readonly List<SearchStep> _steps = [];
    private readonly Queue<double> _curve = [];
    private RateSearch? _search;
    private bool _isDrawing;

    /// <summary>What a closed loop comes to, from which the search begins.</summary>
    public PhasePlan Estimate => Phase("estimate", [], EstimateLength);

    /// <summary>What is found so far, or in the end.</summary>
    public RateSearchResult Result => new()
    {
        Limit = limit.Text,
        Percentile = limit.Percentile,
        LimitNs = limit.Nanoseconds,
        Held = _search?.Held,
        NotHeld = _search?.NotHeld,
        End = _search is { Next: null } search ? search.End : SearchEnd.Unfinished,
        Steps = [.. _steps],
    };

    /// <summary>The step that was judged last; null before the first.</summary>
    public SearchStep? Last => _steps.LastOrDefault();

    /// <summary>What came of a step, as it is told while the search goes on.</summary>
    public string Tell(SearchStep step)
    {
        var value = step.ValueNs is { } known
            ? $", {limit.Series}.{limit.Threshold.Statistic?.Name} {Quantity.Duration(known)}"
            : string.Empty;
        var word = step.Outcome switch
        {
            StepOutcome.Held => "held",
            StepOutcome.Missed => "missed",
            StepOutcome.Unsure => "unsure",
            _ => "not sent",
        };
        return $"{word}{value} ({step.Because})";
    }

    /// <summary>Takes what was measured last, and says what to measure next; null where the search is over.</summary>
    public PhasePlan? Next(PhaseSession last)
    {
        if (_search is null)
            _search = new RateSearch(Math.Max(1, FirstShare * (last.Throughput ?? 1)), LeastSamples / Longest);
        else
            Take(_search, last);
        if (_search.Next is { } rate)
            return Step(rate, (_search.IsLong ? Confirmation : 1) * _search.Stretch, _search.Stretch);
        if (!_isDrawing)
            BeginDrawing(_search.Held ?? 0, _search.End == SearchEnd.Unsure ? [.. Curve, .. Beyond] : Curve);
        return _curve.TryDequeue(out var point) ? Step(point) : null;
    }

    private void Take(RateSearch search, PhaseSession last)
    {
        var step = StepJudgement.Of(last, limit);
        _steps.Add(step);
        if (_isDrawing)
            return;
        search.Take(step.Outcome);
    }

    private void BeginDrawing(double held, double[] shares)
    {
        _isDrawing = true;
        foreach (var point in shares.Select(share => RateSearch.Rounded(share * held)).Where(rate => rate >= 1))
        {
            if (!_steps.Exists(step => Math.Abs(step.Asked - point) <= Nearby * point))
                _curve.Enqueue(point);
        }
    }

    private double LeastSamples => MoreSamples * PercentileRow.LeastSamples(limit.Percentile);

    private double Length => (phase.Options.Duration ?? DefaultStep).TotalSeconds;

    // What takes longer to have its samples is not looked for where nothing is held.
    private double Longest => Math.Max(LongestLowStep, RateSearch.MostStretch * Length);

    private PhasePlan Step(double rate, int times = 1, int stretch = 1)
    {
        var least = stretch * Math.Max(LeastSamples / rate, LimitsPerStep * limit.Nanoseconds / 1e9);
        var length = TimeSpan.FromSeconds(Math.Max(times * Length, least));
        var name = string.Create(CultureInfo.InvariantCulture, $"step {_steps.Count + 1}: {Quantity.Rate(rate)}");
        return Phase(name, RateStep.Constant(rate), length > LongestStep ? LongestStep : length) with
        {
            Given = new Dictionary<string, string>(phase.Given)
            {
                ["rate"] = rate.ToString(CultureInfo.InvariantCulture),
            },
        };
    }

    private PhasePlan Phase(string name, IReadOnlyList<RateStep> rate, TimeSpan length) => new(
        name,
        isLoad: false,
        phase.Options.With(options =>
        {
            (options.Rate, options.Duration) = (rate, length);
            var room = rate.Count > 0 ? MoreRoom * rate[0].To * limit.Nanoseconds / 1e9 / phase.Connections : 0;
            options.MaxInFlight ??= (int)Math.Clamp(Math.Ceiling(room), LeastInFlight, MostInFlight);
        }));
}

/// <summary>Says whether a phase with a rate held its latency, and if not, whether by fault of this tool.</summary>
internal static class StepJudgement
{
    // Of what was due, what must have been sent; and which part of the limit this tool may be late itself.
    private const double LeastSent = 0.99;
    private const double MostOwnLateness = 0.25;
    private const double Busy = 0.95;

    // Without an interval a value is clear of the limit where it is so many times as far, or as near.
    private const double Clear = 2;

    private const string Sure = "95 % sure";

    public static SearchStep Of(PhaseSession session, LatencyLimit limit)
    {
        var series = session.Metrics.Series.First(one => one.Metric.Name == limit.Series);
        var row = PercentileRow.Of(series.Total, limit.Percentile, series.Blocks);
        var sent = (double)session.Measured.Sent / Math.Max(1, session.Measured.Due);
        var most = PercentileRow.Of(series.Total, limit.Percentile / 2).Value;
        var (outcome, because) = Judge(row, limit.Nanoseconds, most);
        // A rate that was not sent is not held, however quick what was sent came back.
        if (outcome == StepOutcome.Held && sent < LeastSent)
            (outcome, because) = (StepOutcome.Missed, $"{Quantity.Percent(sent)} of what was due could be sent");
        if (outcome != StepOutcome.Held && OwnFault(session, limit, sent) is { } own)
            (outcome, because) = (StepOutcome.Generator, own);
        return new SearchStep
        {
            Phase = session.Phase.Name,
            Asked = session.Phase.Options.Rate[0].To,
            Achieved = session.Throughput,
            LengthNs = session.StretchNs,
            MedianNs = PercentileRow.Of(series.Total, 50).Value,
            ValueNs = row.Value,
            LowerNs = row.Lower,
            UpperNs = row.Upper,
            Outcome = outcome,
            Because = because,
        };
    }

    /// <param name="row">The percentile that is limited.</param>
    /// <param name="limit">In nanoseconds.</param>
    /// <param name="most">The percentile of half the rank: what half and more of all took at least.</param>
    internal static (StepOutcome Outcome, string Because) Judge(
        PercentileRow row, double limit, long? most) => row switch
        {
            { Unknown: UnknownPercentile.MissingSamples } =>
                (StepOutcome.Missed, "operations failed, were lost or never sent"),
            { Value: null } => (StepOutcome.Unsure, "too few operations to know the percentile"),
            { Lower: { } lower } when lower >= limit => (StepOutcome.Missed, Sure),
            { Upper: { } upper } when upper < limit => (StepOutcome.Held, Sure),
            { Lower: not null } => (StepOutcome.Unsure, "the limit lies within the 95 % interval"),
            _ when most >= limit => (StepOutcome.Missed, "no 95 % interval, but most took longer than the limit"),
            { Value: { } value } when value >= limit * Clear =>
                (StepOutcome.Missed, "no 95 % interval, but twice the limit and more"),
            { Value: { } value } when value < limit / Clear =>
                (StepOutcome.Held, "no 95 % interval, but below half of the limit"),
            _ => (StepOutcome.Unsure, "no 95 % interval, and near the limit"),
        };

    // Operations that waited for room in flight waited for the server, unless there is less room than the limit allows.
    private static string? OwnFault(PhaseSession session, LatencyLimit limit, double sent)
    {
        var totals = session.Measured;
        var room = (double)session.Phase.Connections * session.Phase.Pipeline;
        if (totals.Progress.Load.HeldBack > 0 && room < session.Phase.Options.Rate[0].To * limit.Nanoseconds / 1e9)
            return $"{Quantity.Count((long)room)} operations in flight (--connections, --max-in-flight) are too few";
        if (totals.Progress.Load.HeldBack == 0 && sent < LeastSent)
            return $"{Quantity.Percent(sent)} of what was due was sent";
        if (totals.BusyShare >= Busy)
            return $"its busiest thread was busy {Quantity.Percent(totals.BusyShare.Value)} of the time";
        var lateness = session.Metrics.Series.First(one => one.Metric.Name == WorkloadMetrics.Lateness.Name);
        return PercentileRow.Of(lateness.Total, limit.Percentile).Value is { } late
            && late >= MostOwnLateness * limit.Nanoseconds
                ? $"operations left up to {Quantity.Duration(late)} late by this tool"
                : null;
    }
}
