using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// One-way latency from all parts' producers to one consumer. Each pair has clocks of its own: the offset, its probes
/// and its claims stay with the pair, in the part's own record, and what was merged may be wrong by the largest E.
/// </summary>
internal sealed class MergedPair(string consumer, int turn, string mark)
{
    private const string VariationEnd = "-variation";
    private const int MostReasons = 20;

    private readonly List<OneWayPair> _first = [];
    private readonly Dictionary<string, OneWaySeries> _series = [];
    private readonly MergedDoubts _doubts = new();
    private readonly List<string> _reasons = [];
    private readonly SortedSet<string> _modes = new(StringComparer.Ordinal);
    private long _parts;
    private OneWayGrade? _grade = OneWayGrade.A;
    private bool _isOneWay = true;
    private (long Uncorrected, long Impossible) _left;

    /// <summary>What precedes the names of a consumer's series in the interval log.</summary>
    public static string MarkOf(string mark, int place) =>
        place == 0 ? mark : string.Create(CultureInfo.InvariantCulture, $"{mark}{place + 1}.");

    /// <summary>The values of a series, with those below zero.</summary>
    public static SignedLatencyHistogram ValuesOf(IReadOnlyDictionary<string, MergedSeries> series, string tag) => new(
        series.GetValueOrDefault(tag)?.Total ?? Empty(0),
        series.GetValueOrDefault(Measured.NegativesOf(tag))?.Total ?? Empty(0));

    public static LatencyHistogram Empty(long missing)
    {
        var empty = LatencyHistogram.ForLatency();
        empty.SetMissing(missing);
        return empty;
    }

    /// <summary>What two parts say of one series; the percentiles follow.</summary>
    public static OneWaySeries Sum(OneWaySeries a, OneWaySeries b) => a with
    {
        ErrorNs = Math.Max(a.ErrorNs, b.ErrorNs),
        Missing = a.Missing + b.Missing,
        NegativesBeyondError = a.NegativesBeyondError + b.NegativesBeyondError,
        BelowFloor = a.BelowFloor + b.BelowFloor,
    };

    /// <summary>A series of all parts.</summary>
    public static OneWaySeries Create(
        OneWaySeries said, IReadOnlyDictionary<string, MergedSeries> series, string mark)
    {
        var values = ValuesOf(series, mark + said.Name);
        values.Values.SetMissing(said.Missing);
        return OneWaySeries.Of(said.Name, values, said.ErrorNs) with
        {
            NegativesBeyondError = said.NegativesBeyondError,
            BelowFloor = said.BelowFloor,
            Variation = said.Variation is { } variation
                && series.TryGetValue(mark + said.Name + VariationEnd, out var merged)
                ? LatencySeries.Of(variation.Name, merged.Table(variation.Missing ?? 0, 0))
                : null,
        };
    }

    public bool Is(string name, int time) => (name, time) == (consumer, turn);

    public void Add(OneWayPair pair, string instance)
    {
        _parts++;
        if (_first.Count == 0)
            _first.Add(pair);
        foreach (var series in pair.Series)
        {
            _series[series.Name] = _series.TryGetValue(series.Name, out var known) ? Sum(known, series) : series;
            _doubts.Add(series);
        }

        _modes.Add(pair.ClockMode);
        _grade = _grade is null || pair.Grade is null ? null : pair.Grade > _grade ? pair.Grade : _grade;
        _isOneWay &= pair.Headline == OneWayHeadline.OneWay;
        _left = (_left.Uncorrected + pair.Uncorrected, _left.Impossible + pair.ImpossibleStamps);
        if (_reasons.Count < MostReasons)
        {
            var error = pair.Offset is { } offset
                ? $", E at most {Quantity.Duration(offset.ErrorWorstNs)}"
                : string.Empty;
            _reasons.Add($"{instance}: grade {pair.Grade?.ToString() ?? "none"}{error}.");
        }
    }

    public OneWayPair Create(IReadOnlyDictionary<string, MergedSeries> series)
    {
        // Of one part it is what it was: its clocks are those of no other.
        if (_parts == 1)
            return _first[0];
        List<OneWaySeries> merged = [.. _series.Values.Select(said => _doubts.Mark(Create(said, series, mark)))];
        return new OneWayPair
        {
            Consumer = consumer,
            Region = _first[0].Region,
            ConsumerId = _first[0].ConsumerId,
            ClockMode = string.Join(" or ", _modes),
            Grade = GradeOf(merged),
            Headline = _isOneWay && GradeOf(merged) <= OneWayGrade.B ? OneWayHeadline.OneWay : OneWayHeadline.RoundTrip,
            Reasons =
            [
                $"Of {Quantity.Count(_parts)} producers together: each pair's offset is in its own record, and E is "
                    + "the largest of all.",
                .. _reasons,
                .. _parts > _reasons.Count
                    ? [$"And {Quantity.Count(_parts - _reasons.Count)} more."]
                    : Array.Empty<string>(),
            ],
            Series = merged,
            Uncorrected = _left.Uncorrected,
            ImpossibleStamps = _left.Impossible,
        };
    }

    // The worst of any, or worse: the largest E may be that of a pair whose ways are longer than another's.
    private OneWayGrade? GradeOf(List<OneWaySeries> merged)
    {
        var medians = merged.Where(series => series.Name is "forward" or "back")
            .Select(series => series.Percentiles.At(50)?.Value).OfType<long>().ToList();
        if (_grade is null || medians.Count == 0)
            return _grade;
        var own = OneWayPair.GradeOf(merged.Max(series => series.ErrorNs), medians.Min());
        return own > _grade ? own : _grade;
    }
}
