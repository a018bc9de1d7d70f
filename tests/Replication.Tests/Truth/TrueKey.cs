namespace RedisLatency.Replication.Tests.Truth;

/// <summary>What really happened to a key, by nobody's word but the link's and the replica's.</summary>
/// <param name="SentNs">When it was sent, as its value says: nanoseconds of the writer's monotonic clock.</param>
/// <param name="ArrivedNs">When the link had its last byte, in nanoseconds of the monotonic clock.</param>
/// <param name="ReleasedNs">When the link had given it to the replica.</param>
/// <param name="AppliedNs">When the replica applied it.</param>
/// <param name="AskedNs">The delay that the link was asked for.</param>
internal sealed record TrueKey(long SentNs, long ArrivedNs, long ReleasedNs, long AppliedNs, long AskedNs);
