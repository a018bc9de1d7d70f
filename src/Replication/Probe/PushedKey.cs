namespace RedisLatency.Replication.Probe;

/// <summary>A key that a push told of.</summary>
/// <param name="Number">Its number.</param>
/// <param name="IntendedNs">When it was due, by the writer's clock; zero where the push does not tell.</param>
/// <param name="SentNs">When it was sent, by the writer's clock; zero where the push does not tell.</param>
internal readonly record struct PushedKey(long Number, long IntendedNs = 0, long SentNs = 0);
