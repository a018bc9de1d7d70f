namespace RedisLatency.Reports.Figures;

/// <summary>What one step says of its rate.</summary>
public enum StepOutcome
{
    /// <summary>All of the percentile's interval lies below the limit.</summary>
    Held,

    /// <summary>It lies at the limit or above, or not all that was due could be sent.</summary>
    Missed,

    /// <summary>The limit lies within the interval, or there is none and the value is near.</summary>
    Unsure,

    /// <summary>This tool did not send in time.</summary>
    Generator,
}
