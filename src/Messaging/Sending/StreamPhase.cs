using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Sending;

/// <summary>One phase of a stream: the warm-up or the measurement.</summary>
public sealed record StreamPhase
{
    /// <summary>Whether its messages are flagged as warm-up.</summary>
    public required bool IsWarmUp { get; init; }

    /// <summary>Whether it goes on with the phase before it after a pause, by the same sequence and counts.</summary>
    public bool Continues { get; init; }

    /// <summary>How long it lasts.</summary>
    public required StreamLimit Limit { get; init; }

    /// <summary>When its first message is due, in nanoseconds; the closed loop begins at once.</summary>
    public required long Start { get; init; }

    /// <summary>The consumers that are known to be there; each owes an echo of every message.</summary>
    public required IReadOnlyList<ulong> Consumers { get; init; }

    /// <summary>Whether the echoes of consumers that come later do not count.</summary>
    public bool IsClosed { get; init; }

    /// <summary>Where the stamps of returned messages go; null where nobody wants them.</summary>
    public StampRing? Stamps { get; init; }

    /// <summary>Where it counts.</summary>
    public StreamCounts Counts { get; init; } = new();

    /// <summary>Where it records.</summary>
    public RoundTripSeries Series { get; init; } = new();
}
