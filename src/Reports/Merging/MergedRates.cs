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
    private (Int128 From, Int128 Until) _whole = (Int128.MaxValue, Int128.MinValue);
    private (Int128 From, Int128 Until) _common = (Int128.MinValue, Int128.MaxValue);

    /// <summary>Whether all parts say when they measured.</summary>
    public bool AreTimed { get; private set; } = true;

    /// <summary>Whether there was a moment at which all that say it measured.</summary>
    public bool AreAtOneTime => _common.From < _common.Until;

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

    public void Add(RunSummary part)
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
        _common = (Int128.Max(_common.From, from), Int128.Min(_common.Until, until));
    }

    // What one part does not know, the whole does not know either.
    private double? Together(Func<MessageRates, double?> of, double lengthNs) =>
        _parts.Aggregate((double?)0, (sum, part) => sum + (of(part.Rates) * (part.DurationNs / lengthNs)));
}
