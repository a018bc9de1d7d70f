using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Messaging.Sending;

/// <summary>What one stream sends, and how.</summary>
public sealed record SenderOptions
{
    /// <summary>The run's number, from its name.</summary>
    public required ulong Run { get; init; }

    /// <summary>This process, as it signs its frames.</summary>
    public required ulong Producer { get; init; }

    /// <summary>Which of the parallel streams this is.</summary>
    public required int Stream { get; init; }

    /// <summary>Messages per second of this stream; 0 sends the next when the last has returned.</summary>
    public required double Rate { get; init; }

    /// <summary>How the times between messages are spread.</summary>
    public Arrival Arrival { get; init; }

    /// <summary>How long payloads are.</summary>
    public PayloadSize PayloadSize { get; init; }

    /// <summary>Whether to send plain decimal counts instead of frames.</summary>
    public bool IsCounter { get; init; }

    /// <summary>
    /// Whether the consumers are asked to keep the messages to themselves: open loop with frames only. Nothing is
    /// waited for but the answer to the end, and nothing is under way; what arrived only the consumers know.
    /// </summary>
    public bool NoEcho { get; init; }

    /// <summary>Whether other producers of the run send on its channels: echoes of theirs are not counted.</summary>
    public bool SharesChannels { get; init; }

    /// <summary>Whether somebody tells the consumers the offset of the clocks, so that they keep the stamps.</summary>
    public bool OffsetFollows { get; init; }

    /// <summary>How many messages may be under way.</summary>
    public required int MaxInFlight { get; init; }

    /// <summary>How long a message is waited for.</summary>
    public required TimeSpan ReceiveDeadline { get; init; }

    /// <summary>How long a lost connection is tried for before the stream gives up.</summary>
    public TimeSpan ReconnectLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The seed of payloads and Poisson times.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>What every message says of itself, beside the phase.</summary>
    internal Frames.FrameFlags MessageFlags =>
        (NoEcho ? Frames.FrameFlags.NoEcho : Frames.FrameFlags.None)
        | (OffsetFollows ? Frames.FrameFlags.OffsetFollows : Frames.FrameFlags.None);

    internal long ReceiveDeadlineNs => ReceiveDeadline.InNanoseconds;
}
