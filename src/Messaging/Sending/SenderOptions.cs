using RedisLatency.Messaging.Payloads;
using RedisLatency.Messaging.Schedules;

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

    /// <summary>How many messages may be under way.</summary>
    public required int MaxInFlight { get; init; }

    /// <summary>How long a message is waited for.</summary>
    public required TimeSpan ReceiveDeadline { get; init; }

    /// <summary>How long a lost connection is tried for before the stream gives up.</summary>
    public TimeSpan ReconnectLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The seed of payloads and Poisson times.</summary>
    public int Seed { get; init; } = 1;

    internal long ReceiveDeadlineNs => ReceiveDeadline.Ticks * 100;
}
