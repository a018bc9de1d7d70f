namespace RedisLatency.Peers.Datagrams;

/// <summary>What a datagram says beside the stamps of the answer.</summary>
/// <param name="Kind">Which way it goes.</param>
/// <param name="Run">The run's number.</param>
/// <param name="Asker">Who asks: a random number, new for each exchange.</param>
/// <param name="Answerer">Who is asked: the number that the peer signs its echoes with.</param>
/// <param name="Sequence">Which question of the asker it is, from 1.</param>
/// <param name="SentNs">t1: when the asker sent it, in nanoseconds of its monotonic clock.</param>
internal readonly record struct ProbeFields(
    ProbeKind Kind, ulong Run, ulong Asker, ulong Answerer, long Sequence, long SentNs);
