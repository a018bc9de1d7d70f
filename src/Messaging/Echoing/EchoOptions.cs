using RedisLatency.Metrics.Machine;
using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Messaging.Echoing;

/// <summary>How a consumer answers.</summary>
public sealed record EchoOptions
{
    /// <summary>How it signs its echoes; not 0.</summary>
    public required ulong Instance { get; init; }

    /// <summary>How it answers a hello.</summary>
    public required Announcement Self { get; init; }

    /// <summary>The only producer that it answers; null for all. Plain counts do not say whose they are.</summary>
    public ulong? Producer { get; init; }

    /// <summary>A producer that it does not answer: that of its own process; null for none.</summary>
    public ulong? OwnProducer { get; init; }

    /// <summary>
    /// What its threads have waited for a processor so far, for the answer; null where nobody counts.
    /// </summary>
    public Func<ReportedWaits?>? Waits { get; init; }

    /// <summary>The longest message in bytes that can come.</summary>
    public int MaxMessage { get; init; } = Frames.FrameLayout.HeaderLength + Frames.FrameLayout.MaxPayloadLength;

    /// <summary>How long a lost connection is tried for before the consumer gives up.</summary>
    public TimeSpan ReconnectLimit { get; init; } = TimeSpan.MaxValue;

    /// <summary>
    /// How often a connection is asked whether it is still there, and how long its answer is waited for at the end.
    /// One that brings nothing for three times as long is lost: messages may vanish on it unseen.
    /// </summary>
    public TimeSpan KeepAlive { get; init; } = TimeSpan.FromSeconds(5);
}
