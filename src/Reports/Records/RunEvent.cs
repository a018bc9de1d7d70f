namespace RedisLatency.Reports.Records;

/// <summary>Something that happened during the run and may explain its numbers.</summary>
/// <param name="AtUtc">When, by the wall clock.</param>
/// <param name="AtNs">When, in nanoseconds of the host's monotonic clock.</param>
/// <param name="Kind">What, in one word: reconnected, stopped, stalled.</param>
/// <param name="Text">What, in a sentence.</param>
public sealed record RunEvent(DateTimeOffset AtUtc, long AtNs, string Kind, string Text)
{
    /// <summary>The kind of those that say what a run did next: charts mark them, and none is a trouble.</summary>
    public const string Stage = "stage";
}
