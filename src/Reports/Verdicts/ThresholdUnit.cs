namespace RedisLatency.Reports.Verdicts;

/// <summary>What the limit of a threshold counts.</summary>
public enum ThresholdUnit
{
    /// <summary>A plain number.</summary>
    Number,

    /// <summary>A share between 0 and 1, written in percent.</summary>
    Share,

    /// <summary>Nanoseconds.</summary>
    Nanoseconds,
}
