using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Sequences;
using RedisLatency.Peers.Rendezvous;

namespace RedisLatency.Messaging.Echoing;

/// <summary>What a consumer has had of one producer's stream.</summary>
public sealed class ServedStream
{
    // Made anew where the first measured message shows that it was under way before this consumer was there.
    private SequenceTracker _tracker = new();
    private long _sent = -1;

    internal ServedStream(ulong run, ulong producer, int stream) => (Run, Producer, Stream) = (run, producer, stream);

    /// <summary>Its number in the order of first appearance.</summary>
    internal long Number { get; init; }

    /// <summary>The run's number.</summary>
    public ulong Run { get; }

    /// <summary>The producing process.</summary>
    public ulong Producer { get; }

    /// <summary>Which of its parallel streams.</summary>
    public int Stream { get; }

    /// <summary>Who it said it is; null where its hello was missed.</summary>
    public Announcement? Content { get; internal set; }

    /// <summary>When it was last heard, in nanoseconds of the monotonic clock.</summary>
    public long LastHeard { get; private set; }

    /// <summary>When the first measured message came, in nanoseconds; 0 before.</summary>
    public long FirstMeasured { get; private set; }

    /// <summary>When the last measured message came, in nanoseconds.</summary>
    public long LastMeasured { get; private set; }

    /// <summary>Whether its end frame has come.</summary>
    public bool HasEnded => Volatile.Read(ref _sent) >= 0;

    /// <summary>Measured messages that came, duplicates included.</summary>
    public long Received { get => Volatile.Read(ref field); private set => Volatile.Write(ref field, value); }

    /// <summary>Warm-up messages that came.</summary>
    public long WarmUp { get => Volatile.Read(ref field); private set => Volatile.Write(ref field, value); }

    /// <summary>Messages of either kind that were not sent back, as their producer asked.</summary>
    public long Kept { get => Volatile.Read(ref field); private set => Volatile.Write(ref field, value); }

    /// <summary>
    /// What became of its messages: against what its end frame said, or before that against the highest that came.
    /// </summary>
    public SequenceCounts Count() => _tracker.Count(Sent);

    /// <summary>How many went before this consumer was there; they are not in <see cref="Count"/>.</summary>
    public long Missed { get; private set; }

    private long Sent => Math.Max(0, (HasEnded ? Volatile.Read(ref _sent) : _tracker.Highest + 1) - Missed);

    /// <summary>
    /// The same on any thread, while messages come: where some came beyond the end, what was lost is not known yet.
    /// </summary>
    public SequenceCounts CountSoFar()
    {
        // Read in this order: a message that comes meanwhile is not taken for lost.
        var sent = Sent;
        var all = _tracker.Received;
        var received = Math.Min(sent, all);
        return new SequenceCounts(
            sent, received, 0, sent - received, _tracker.Duplicated, _tracker.Reordered, _tracker.Refused,
            all - received);
    }

    internal bool Take(in FrameHeader header, long received)
    {
        LastHeard = received;
        var isWarmUp = (header.Flags & FrameFlags.WarmUp) != 0;
        if (header.Kind == MessageKind.Message && (header.Flags & FrameFlags.NoEcho) != 0)
            Kept++;
        if (header.Kind == MessageKind.End && !isWarmUp)
        {
            Volatile.Write(ref _sent, header.Sequence);
        }
        else if (header.Kind == MessageKind.Message && isWarmUp)
        {
            WarmUp++;
        }
        else if (header.Kind == MessageKind.Message)
        {
            // Who was there from the beginning has heard it ask, or warm up.
            if (Received == 0 && Content is null && WarmUp == 0 && header.Sequence > 0)
                _tracker = new SequenceTracker(Missed = header.Sequence);
            var arrival = _tracker.Observe(header.Sequence, afterDeadline: false);
            FirstMeasured = Received == 0 ? received : FirstMeasured;
            LastMeasured = received;
            Received++;
            return (arrival & SequenceArrival.First) != 0;
        }

        return false;
    }
}

/// <summary>
/// The producers that a consumer serves, one entry for each of their streams: any number, for as long as it runs. Only
/// the thousand that were heard last are kept, those that have ended after all others; a frame costs the same however
/// many there are.
/// </summary>
internal sealed class ServedStreams
{
    public const int MostKept = 1_000;

    // A producer that was not heard for so long is not at work any more, as far as its name is concerned.
    private const long SilentAfterNs = 3_000_000_000;

    private readonly Lock _lock = new();
    private readonly Dictionary<(ulong Run, ulong Producer, int Stream), LinkedListNode<ServedStream>> _nodes = [];

    // Each with the one that was heard longest ago first.
    private readonly LinkedList<ServedStream> _atWork = new();
    private readonly LinkedList<ServedStream> _ended = new();
    private ServedStream? _last;
    private long _added;
    private long _forgotten;

    public long Forgotten => Volatile.Read(ref _forgotten);

    public ServedStream Of(in FrameHeader header)
    {
        if (_last is { } last && last.Producer == header.Producer && last.Stream == header.Stream
            && last.Run == header.Run)
        {
            return last;
        }

        lock (_lock)
        {
            if (_last is { HasEnded: true } ended)
                MoveTo(_ended, _nodes[KeyOf(ended)]);
            if (!_nodes.TryGetValue((header.Run, header.Producer, header.Stream), out var node))
                node = Add(new ServedStream(header.Run, header.Producer, header.Stream) { Number = _added++ });
            else if (!node.Value.HasEnded)
                MoveTo(_atWork, node);
            return _last = node.Value;
        }
    }

    public bool IsNameTaken(ServedStream asking, long now)
    {
        lock (_lock)
        {
            return _atWork.Any(other => other.Producer != asking.Producer && !other.HasEnded
                && other.Run == asking.Run && now - other.LastHeard < SilentAfterNs
                && other.Content?.Instance == asking.Content?.Instance && other.Received + other.WarmUp > 0);
        }
    }

    public IReadOnlyList<ServedStream> Snapshot()
    {
        lock (_lock)
            return [.. _nodes.Values.Select(node => node.Value).OrderBy(stream => stream.Number)];
    }

    private static (ulong Run, ulong Producer, int Stream) KeyOf(ServedStream stream) =>
        (stream.Run, stream.Producer, stream.Stream);

    private static void MoveTo(LinkedList<ServedStream> list, LinkedListNode<ServedStream> node)
    {
        node.List!.Remove(node);
        list.AddLast(node);
    }

    private LinkedListNode<ServedStream> Add(ServedStream added)
    {
        if (_nodes.Count >= MostKept)
        {
            var oldest = (_ended.First ?? _atWork.First)!;
            oldest.List!.Remove(oldest);
            _nodes.Remove(KeyOf(oldest.Value));
            Volatile.Write(ref _forgotten, _forgotten + 1);
        }

        return _nodes[KeyOf(added)] = _atWork.AddLast(added);
    }
}
