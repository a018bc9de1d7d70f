namespace RedisLatency.Reports.Verdicts;

/// <summary>What the limit of a threshold counts.</summary>
public enum ThresholdUnit
{
    Number,

    /// <summary>A share between 0 and 1, written in percent.</summary>
    Share,

    Nanoseconds,
}
