namespace RedisLatency.Producer.OneWay;

/// <summary>What the series of one direction are called in the interval log.</summary>
internal sealed class OneWayDirectionTags(Func<string, string> tagOf, string fromSent, string fromIntended)
{
    // Their values are the magnitudes of negative ones.
    private const string Negative = "-negative";

    public string FromSent { get; } = tagOf(fromSent);

    public string FromSentNegative { get; } = tagOf(fromSent + Negative);

    public string FromIntended { get; } = tagOf(fromIntended);

    public string FromIntendedNegative { get; } = tagOf(fromIntended + Negative);

    /// <summary>How much longer than the fastest of the last seconds.</summary>
    public string Variation { get; } = tagOf(fromSent + "-variation");

    /// <summary>By how much values were below the floor.</summary>
    public string BelowFloor { get; } = tagOf(fromSent + "-below-floor");
}
