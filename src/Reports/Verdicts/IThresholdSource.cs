namespace RedisLatency.Reports.Verdicts;

/// <summary>A result that thresholds can be held against.</summary>
public interface IThresholdSource
{
    /// <summary>
    /// The value that a threshold asks for by its metric, statistic and unit: nanoseconds of a series, the number of a
    /// counter or, where the unit is <see cref="ThresholdUnit.Share"/>, its share of what was asked for; a ratio is the
    /// same in both units. Null where there is no such metric.
    /// </summary>
    ThresholdReading? Find(Threshold threshold);
}
