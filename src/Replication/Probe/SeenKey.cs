namespace RedisLatency.Replication.Probe;

/// <summary>A key as a look found it.</summary>
/// <param name="Number">Its number.</param>
/// <param name="State">What was found.</param>
/// <param name="IntendedNs">When it was due, by the writer's clock; zero where it is not as it was written.</param>
/// <param name="SentNs">When it was sent, by the writer's clock; zero likewise.</param>
internal readonly record struct SeenKey(long Number, SeenState State, long IntendedNs, long SentNs);
