namespace RedisLatency.Peers.Rendezvous;

/// <summary>
/// How a process can be asked what time it is there, and the key to ask with. It travels through Redis, so that
/// whoever may read the run's channels or keys may ask. It never prints its key.
/// </summary>
/// <param name="Key">The run's key as base64; anything, where the peer is hostile.</param>
public sealed record ProbeOffer(string Key)
{
    /// <summary>Where it listens over UDP, as <c>udp://HOST:PORT</c>; null where it does not.</summary>
    public string? Udp { get; init; }

    /// <summary>Whether it answers on the run's probe channels.</summary>
    public bool Redis { get; init; }

    /// <summary>Everything but the key.</summary>
    public override string ToString() => $"{nameof(ProbeOffer)} {{ Udp = {Udp}, Redis = {Redis}, Key = *** }}";
}
