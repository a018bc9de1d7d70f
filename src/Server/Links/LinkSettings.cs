namespace RedisLatency.Server.Links;

/// <summary>What a link does to what goes one way through it. The default is nothing.</summary>
public sealed record LinkSettings
{
    /// <summary>How long everything takes.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>What varies in it; null for nothing.</summary>
    public Jitter? Jitter { get; init; }

    /// <summary>Bytes per second; zero for as many as the machine moves.</summary>
    public long Rate { get; init; }

    /// <summary>When nothing comes out: it waits inside, and comes out at the end in its order.</summary>
    public IReadOnlyList<LinkSpan> Stalls { get; init; } = [];

    /// <summary>
    /// When the way is cut: TCP connections are reset and refused, whichever way is cut; datagrams of this way are
    /// dropped.
    /// </summary>
    public IReadOnlyList<LinkSpan> Cuts { get; init; } = [];

    /// <summary>The probability that a datagram is lost.</summary>
    public double Loss { get; init; }

    /// <summary>The probability that a datagram comes out twice.</summary>
    public double Duplicate { get; init; }

    /// <summary>
    /// The probability that a datagram is held back by <see cref="ReorderBy"/>, so that others pass it.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>How long such a datagram is held back besides its delay.</summary>
    /// <value>The default is 10 ms: more than the distance between datagrams, or none passes it.</value>
    public TimeSpan ReorderBy { get; init; } = TimeSpan.FromMilliseconds(10);
}
