namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// What carries datagrams between two processes; used by one thread. A lane never throws for what the network or the
/// server does: it says so in <see cref="Problem"/> and is tried again.
/// </summary>
internal interface IProbeLane : IDisposable
{
    /// <summary>Where it leads, as it may be shown: <c>udp://10.0.0.5:7100</c>, <c>redis://10.0.0.5:6379</c>.</summary>
    string Name { get; }

    /// <summary>Whether it can carry nothing now, and why; null where nothing is known to be wrong.</summary>
    string? Problem { get; }

    /// <summary>Whether trying again is of no use, as where a right is missing.</summary>
    bool IsLost { get; }

    /// <summary>Makes it ready, where that may take a while; without effect where it is.</summary>
    void Open();

    /// <summary>To the peer or, as an answerer, to whoever sent the last one; false where it did not go.</summary>
    bool TrySend(ReadOnlySpan<byte> datagram);

    /// <summary>
    /// Waits for the next datagram; -1 where none came. A time that has passed looks once, and it may return earlier.
    /// The buffer must be longer than any datagram that is wanted.
    /// </summary>
    int Receive(long untilNs, Span<byte> buffer, out long receivedNs);
}
