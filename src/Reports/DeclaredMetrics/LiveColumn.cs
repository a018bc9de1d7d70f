namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>Where the live view shows a metric; counters of one place are added up.</summary>
public enum LiveColumn
{
    None,
    Latency,
    LatencyFromIntended,
    Lateness,
    Sent,
    Returned,
    Unsent,
    Lost,
    Late,
    Duplicated,
    Reordered,
    Errors,
    InFlight,
}
