using RedisLatency.Producer.Measuring;

namespace RedisLatency.Producer.OneWay;

/// <summary>What the series of one direction are called in the interval log.</summary>
internal sealed class OneWayDirectionTags(Func<string, string> tagOf, string fromSent, string fromIntended)
{
    public string FromSent { get; } = tagOf(fromSent);

    public string FromSentNegative { get; } = tagOf(fromSent + SeriesNames.Negative);

    public string FromIntended { get; } = tagOf(fromIntended);

    public string FromIntendedNegative { get; } = tagOf(fromIntended + SeriesNames.Negative);

    public string Variation { get; } = tagOf(fromSent + SeriesNames.Variation);

    public string BelowFloor { get; } = tagOf(fromSent + SeriesNames.BelowFloor);
}
