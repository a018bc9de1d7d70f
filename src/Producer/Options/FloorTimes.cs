namespace RedisLatency.Producer.Options;

/// <summary>The least time that a message takes each way.</summary>
/// <param name="Forward">To the consumer.</param>
/// <param name="Back">Back to the producer.</param>
internal readonly record struct FloorTimes(TimeSpan Forward, TimeSpan Back);
