using System.Diagnostics;
using RedisLatency.Messaging.Frames;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Tests.Sending;

/// <summary>A lane whose far end is a script: what a sender publishes comes back as the script says.</summary>
internal sealed class ScriptedLane(Action<ScriptedLane, byte[]> consumer) : IPubSubLane
{
    public const ulong Consumer = 77;

    private readonly Queue<byte[]> _replies = [];
    private byte[] _current = [];
    private readonly Queue<(byte[] Frame, long At)> _later = [];

    public LaneDescription Description { get; } = new("scripted", "1", 2, "memory", AllocatesPerMessage: true);

    /// <summary>Messages published so far.</summary>
    public int Published { get; private set; }

    /// <summary>Whether the next call finds the connection gone.</summary>
    public bool IsBroken { get; set; }

    public void Publish(int channel, ReadOnlySpan<byte> payload)
    {
        ThrowIfBroken();
        Published++;
        consumer(this, payload.ToArray());
    }

    public bool TryReceive(long untilTimestamp, out LaneMessage message)
    {
        ThrowIfBroken();
        message = default;
        while (_later.TryPeek(out var later) && Stopwatch.GetTimestamp() >= later.At)
            Echo(_later.Dequeue().Frame);

        if (!_replies.TryDequeue(out var reply))
            return false;
        _current = reply;
        message = new LaneMessage(0, _current, ReceivedAt ?? Stopwatch.GetTimestamp());
        return true;
    }

    /// <summary>What the next look at the replies finds refused.</summary>
    public RedisServerException? Refusal { get; set; }

    public void DrainReplies()
    {
        var refusal = Refusal;
        Refusal = null;
        if (refusal is not null)
            throw refusal;
    }

    /// <summary>When what comes next is said to have come; null for the truth.</summary>
    public long? ReceivedAt { get; set; }

    /// <summary>Whether the connection is open and yet nothing comes on it any more.</summary>
    public bool IsSilent { get; set; }

    public long? UnansweredSince { get; private set; }

    public void Ask() => UnansweredSince = IsSilent ? UnansweredSince ?? Stopwatch.GetTimestamp() : null;

    public void Dispose()
    {
    }

    /// <summary>Sends bytes back as they are.</summary>
    public void Reply(byte[] bytes) => _replies.Enqueue(bytes);

    /// <summary>Sends a frame back as a consumer does.</summary>
    public void Echo(byte[] frame, ulong instance = Consumer)
    {
        var echo = frame.ToArray();
        var now = Stopwatch.GetTimestamp();
        FrameEcho.Stamp(echo, instance, now - 1_000, now);
        Reply(echo);
    }

    /// <summary>Sends one frame back no earlier than after so long.</summary>
    public void EchoLater(byte[] frame, TimeSpan delay) =>
        _later.Enqueue((frame, Stopwatch.GetTimestamp() + (long)(delay.TotalSeconds * Stopwatch.Frequency)));

    private void ThrowIfBroken()
    {
        if (IsBroken)
            throw new RedisConnectionLostException("The script broke the connection.");
    }
}
