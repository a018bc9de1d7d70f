using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Echoing;

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
    private readonly Dictionary<(ulong Run, ulong Producer, int Stream), LinkedListNode<ServedStream>> _places = [];

    // Each with the one that was heard longest ago first.
    private readonly LinkedList<ServedStream> _atWork = new();
    private readonly LinkedList<ServedStream> _ended = new();
    private ServedStream? _last;
    private long _added;
    private long _forgotten;

    public long Forgotten => Volatile.Read(ref _forgotten);

    /// <summary>The entry that a frame belongs to, made where it is the first.</summary>
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
                MoveTo(_ended, _places[KeyOf(ended)]);
            if (!_places.TryGetValue((header.Run, header.Producer, header.Stream), out var place))
                place = Add(new ServedStream(header.Run, header.Producer, header.Stream) { Number = _added++ });
            else if (!place.Value.HasEnded)
                MoveTo(_atWork, place);
            return _last = place.Value;
        }
    }

    /// <summary>Whether another producer with the same run and instance is at work.</summary>
    public bool IsNameTaken(ServedStream asking, long now)
    {
        lock (_lock)
        {
            return _atWork.Any(other => other.Producer != asking.Producer && !other.HasEnded
                && other.Run == asking.Run && now - other.LastHeard < SilentAfterNs
                && other.Content?.Instance == asking.Content?.Instance && other.Received + other.WarmUp > 0);
        }
    }

    /// <summary>A copy of the list, in the order of first appearance.</summary>
    public IReadOnlyList<ServedStream> Snapshot()
    {
        lock (_lock)
            return [.. _places.Values.Select(place => place.Value).OrderBy(stream => stream.Number)];
    }

    private static (ulong Run, ulong Producer, int Stream) KeyOf(ServedStream stream) =>
        (stream.Run, stream.Producer, stream.Stream);

    private static void MoveTo(LinkedList<ServedStream> list, LinkedListNode<ServedStream> place)
    {
        place.List!.Remove(place);
        list.AddLast(place);
    }

    private LinkedListNode<ServedStream> Add(ServedStream added)
    {
        if (_places.Count >= MostKept)
        {
            var oldest = (_ended.First ?? _atWork.First)!;
            oldest.List!.Remove(oldest);
            _places.Remove(KeyOf(oldest.Value));
            Volatile.Write(ref _forgotten, _forgotten + 1);
        }

        return _places[KeyOf(added)] = _atWork.AddLast(added);
    }
}
