using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// How fast all parts went together: what all did, in the time from the first start to the last end. There is none
/// where a part does not say when it measured, or where there was no moment at which all did.
/// </summary>
internal sealed class MergedRates
{
    private readonly List<(MessageRates Rates, long? DurationNs)> _parts = [];
    private readonly Dictionary<string, (Int128 From, Int128 Until)> _rotated = [];
    private (Int128 From, Int128 Until) _whole = (Int128.MaxValue, Int128.MinValue);
    private (Int128 From, Int128 Until) _atOnce = (Int128.MinValue, Int128.MaxValue);

    /// <summary>Whether all parts say when they measured.</summary>
    public bool AreTimed { get; private set; } = true;

    /// <summary>
    /// Whether there was a moment at which all that say it measured; a process whose folder was closed each period
    /// measured from the first to the last of them.
    /// </summary>
    public bool AreAtOneTime
    {
        get
        {
            var common = _rotated.Values.Aggregate(_atOnce, Common);
            return common.From < common.Until;
        }
    }

    /// <summary>From the first start to the last end, in nanoseconds; null where there is no rate together.</summary>
    public long? DurationNs => _parts is [var only] ? only.DurationNs : LengthNs is { } length ? (long)length : null;

    /// <summary>The rates of all together.</summary>
    public MessageRates Rates => _parts switch
    {
        [var only] => only.Rates,
        _ when LengthNs is { } length => new()
        {
            Asked = Together(rates => rates.Asked, length),
            Achieved = Together(rates => rates.Achieved, length),
            Bytes = Together(rates => rates.Bytes, length),
        },
        _ => new(),
    };

    private double? LengthNs => AreTimed && AreAtOneTime ? (double)(_whole.Until - _whole.From) : null;

    /// <param name="part">What a part measured.</param>
    /// <param name="process">Whose periods it is one of; null where it is all of its process.</param>
    public void Add(RunSummary part, string? process = null)
    {
        _parts.Add((part.Rates, part.DurationNs));
        if (part is not { StartUtc: { } start, DurationNs: > 0 and var duration })
        {
            AreTimed = false;
            return;
        }

        var from = (Int128)start.UtcTicks * TimeSpan.NanosecondsPerTick;
        var until = from + duration;
        _whole = (Int128.Min(_whole.From, from), Int128.Max(_whole.Until, until));
        if (process is null)
            _atOnce = Common(_atOnce, (from, until));
        else if (_rotated.TryGetValue(process, out var known))
            _rotated[process] = (Int128.Min(known.From, from), Int128.Max(known.Until, until));
        else
            _rotated.Add(process, (from, until));
    }

    private static (Int128 From, Int128 Until) Common(
        (Int128 From, Int128 Until) one, (Int128 From, Int128 Until) other) =>
        (Int128.Max(one.From, other.From), Int128.Min(one.Until, other.Until));

    // What one part does not know, the whole does not know either.
    private double? Together(Func<MessageRates, double?> of, double lengthNs) =>
        _parts.Aggregate((double?)0, (sum, part) => sum + (of(part.Rates) * (part.DurationNs / lengthNs)));
}
