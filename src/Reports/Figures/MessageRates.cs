namespace RedisLatency.Reports.Figures;

/// <summary>How fast the measured phase went; each per second.</summary>
public sealed record MessageRates
{
    /// <summary>Messages the schedule wanted; null where the next waited for the last.</summary>
    public double? Asked { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>
    /// Messages that were sent, or received by a consumer; where the schedule left a queue, until the last answer.
    /// </summary>
    public double? Achieved { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Bytes of payload in these.</summary>
    public double? Bytes { get; init => field = FiniteNumber.OrNull(value); }
}
