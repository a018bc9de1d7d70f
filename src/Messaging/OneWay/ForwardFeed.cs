using System.Collections.Frozen;
using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// What one echoing thread hands to the thread that makes the consumer's own forward series of it: the stamps of
/// messages, and what producers tell of the offset. The echoing thread never waits, and allocates nothing here.
/// </summary>
public sealed class ForwardFeed
{
    // A frame a second, of at most 16 windows that are mostly known, of several producers.
    private const int MostNotices = 1 << 12;

    private readonly PublishedWindow[] _windows = new PublishedWindow[OffsetPayload.MostWindows];
    private FrozenDictionary<ulong, ForwardFigures> _figures = FrozenDictionary<ulong, ForwardFigures>.Empty;

    /// <summary>Makes a feed.</summary>
    /// <param name="capacity">How many messages may wait to be taken: two seconds' worth is plenty.</param>
    public ForwardFeed(int capacity) => Stamps = new StampRing(capacity);

    internal StampRing Stamps { get; }

    internal HandoverRing<OffsetNotice> Notices { get; } = new(MostNotices);

    /// <summary>The messages that found no room.</summary>
    public long Overflowed => Stamps.Overflowed;

    internal void Take(in FrameHeader header, long received) => Stamps.TryAppend(new MessageStamps(
        header.Producer, header.Stream, header.Sequence, header.Intended, header.Sent, received, 0, 0));

    /// <summary>Takes what a producer tells; on the echoing thread.</summary>
    /// <returns>Whether it could be read.</returns>
    internal bool TryTakeOffset(in FrameHeader header, ReadOnlySpan<byte> payload, ulong self)
    {
        if (!OffsetPayload.TryRead(payload, out var instance, out var isLast, _windows, out var count))
            return false;
        if (instance != self)
            return true;
        foreach (var window in _windows.AsSpan(0, count))
            Notices.TryAppend(new OffsetNotice(header.Producer, window));
        if (isLast)
            Notices.TryAppend(new OffsetNotice(header.Producer, null));
        return true;
    }

    /// <summary>What became of a producer's messages, once it is known; on the echoing thread.</summary>
    internal bool TryGetFigures(ulong producer, out ForwardFigures figures) =>
        Volatile.Read(ref _figures).TryGetValue(producer, out figures);

    /// <summary>Lets the echoing thread answer for these producers.</summary>
    internal void Publish(FrozenDictionary<ulong, ForwardFigures> figures) => Volatile.Write(ref _figures, figures);
}

/// <summary>What one producer told: a window, or null where no more will come.</summary>
internal readonly record struct OffsetNotice(ulong Producer, PublishedWindow? Window);
