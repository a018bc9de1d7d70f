namespace RedisLatency.Producer.Measuring;

/// <summary>What the series of a run are called: in the interval log, in the record and in thresholds.</summary>
internal static class SeriesNames
{
    /// <summary>Returned − sent.</summary>
    public const string RoundTrip = "rtt";

    /// <summary>Returned − intended.</summary>
    public const string RoundTripFromIntended = "rtt-intended";

    /// <summary>The round trip less the consumer's residence.</summary>
    public const string Network = "network";

    /// <summary>The same from the intended send.</summary>
    public const string NetworkFromIntended = "network-intended";

    /// <summary>Echoed − received.</summary>
    public const string Residence = "residence";

    /// <summary>Sent − intended.</summary>
    public const string Lateness = "lateness";

    /// <summary>Received − sent − θ.</summary>
    public const string Forward = "forward";

    /// <summary>Received − intended − θ.</summary>
    public const string ForwardFromIntended = "forward-intended";

    /// <summary>Returned − echoed + θ.</summary>
    public const string Back = "back";

    /// <summary>Returned − received + θ: the residence is in it.</summary>
    public const string BackFromIntended = "back-intended";

    /// <summary>Follows the name of a series in the log whose values are the magnitudes of negative ones.</summary>
    public const string Negative = "-negative";

    /// <summary>Follows the name of a direction: how much longer than the fastest of the last seconds.</summary>
    public const string Variation = "-variation";

    /// <summary>Follows the name of a direction: by how much values were below the floor.</summary>
    public const string BelowFloor = "-below-floor";

    /// <summary>How late a thread of this process woke that wanted to every 5 ms.</summary>
    public const string Hiccups = "hiccups";
}
