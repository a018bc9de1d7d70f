namespace RedisLatency.Lab.Worlds;

/// <summary>The stamps of one message as the Producer kept them, in nanoseconds of the clock that stamped.</summary>
internal readonly record struct StampedMessage(long Intended, long Sent, long Received, long Echoed, long Returned);
