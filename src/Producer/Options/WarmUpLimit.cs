namespace RedisLatency.Producer.Options;

/// <summary>How long to warm up: a time, or a number of messages.</summary>
/// <param name="Messages">Messages, or null where it is a time.</param>
/// <param name="Duration">A time, or null where it is messages.</param>
internal readonly record struct WarmUpLimit(long? Messages, TimeSpan? Duration);
