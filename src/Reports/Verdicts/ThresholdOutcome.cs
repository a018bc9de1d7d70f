namespace RedisLatency.Reports.Verdicts;

/// <summary>Whether a threshold held.</summary>
public enum ThresholdOutcome
{
    /// <summary>It held.</summary>
    Met,

    /// <summary>It did not: the run ends with 99.</summary>
    Missed,

    /// <summary>It cannot be said: the run ends with 4.</summary>
    NotEnoughSamples,

    /// <summary>Samples that are missing could change it: the run ends with 4.</summary>
    MissingSamples,

    /// <summary>The limit lies within the error of the value: the run ends with 4.</summary>
    WithinError,

    /// <summary>The result has no such metric; which is refused before the run.</summary>
    UnknownMetric,
}
