namespace RedisLatency.Reports.Records;

/// <summary>A phase of the run.</summary>
/// <param name="Name">connect, calibrate, rendezvous, warmup, measure or drain.</param>
/// <param name="StartUtc">When it began, by the wall clock.</param>
/// <param name="StartNs">
/// When it began, in nanoseconds of the host's monotonic clock; null where another tool does not say.
/// </param>
/// <param name="DurationNs">How long it took, in nanoseconds of that clock.</param>
public sealed record RecordedPhase(string Name, DateTimeOffset StartUtc, long? StartNs, long DurationNs);
