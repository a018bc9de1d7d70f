using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Echoing;

/// <summary>
/// The producers that a consumer serves, one entry for each of their streams: any number, for as long as it runs. Of
/// those that have ended, or have been silent for an hour, only the latest thousand are kept.
/// </summary>
internal sealed class ServedStreams
{
    private const int MaxKept = 1_000;
    private const long ForgetAfterNs = 3_600L * 1_000_000_000;

    // A producer that was not heard for so long is not at work any more, as far as its name is concerned.
    private const long SilentAfterNs = 3_000_000_000;

    private readonly Lock _lock = new();
    private readonly List<ServedStream> _streams = [];
    private ServedStream? _last;

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
            _last = null;
            foreach (var stream in _streams)
            {
                if (stream.Producer == header.Producer && stream.Stream == header.Stream && stream.Run == header.Run)
                    return _last = stream;
            }

            return _last = Add(header);
        }
    }

    /// <summary>Whether another producer with the same run and instance is at work.</summary>
    public bool IsNameTaken(ServedStream asking, long now)
    {
        lock (_lock)
        {
            return _streams.Exists(other => other.Producer != asking.Producer && !other.HasEnded
                && other.Run == asking.Run && now - other.LastHeard < SilentAfterNs
                && other.Content?.Instance == asking.Content?.Instance && other.Received + other.WarmUp > 0);
        }
    }

    /// <summary>A copy of the list, in the order of first appearance.</summary>
    public IReadOnlyList<ServedStream> Snapshot()
    {
        lock (_lock)
            return [.. _streams];
    }

    private ServedStream Add(in FrameHeader header)
    {
        if (_streams.Count >= MaxKept)
        {
            var newest = _streams.Max(stream => stream.LastHeard);
            _streams.RemoveAll(stream => stream.HasEnded || newest - stream.LastHeard > ForgetAfterNs);
        }

        var added = new ServedStream(header.Run, header.Producer, header.Stream);
        _streams.Add(added);
        return added;
    }
}
