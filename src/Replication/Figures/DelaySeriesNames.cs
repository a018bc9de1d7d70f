namespace RedisLatency.Replication.Figures;

/// <summary>The names of series: in thresholds, in the record, and as tags of the interval log.</summary>
internal static class DelaySeriesNames
{
    public const string Delay = "delay";
    public const string DelayFromIntended = "delay-intended";
    public const string Uncertainty = "uncertainty";
    public const string Lateness = "lateness";
    public const string Wait = "wait";
    public const string WaitForAll = "wait-all";
    public const string Hiccups = "hiccups";
}
