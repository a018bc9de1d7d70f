namespace RedisLatency.Hosting.Running;

/// <summary>When one phase of a run began, and how long it took.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="StartedAt">The instant by the wall clock, UTC.</param>
/// <param name="StartTimestamp">The same on the monotonic clock, as <see cref="TimeProvider.GetTimestamp"/> reads.</param>
/// <param name="Duration">How long it took; null while it lasts.</param>
public sealed record PhaseRecord(RunPhase Phase, DateTimeOffset StartedAt, long StartTimestamp, TimeSpan? Duration);
