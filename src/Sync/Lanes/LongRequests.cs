using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Holds the requests with long values that are on their way to all connections together to so many bytes: memory goes
/// by the longest value, not by how many there are.
/// </summary>
internal sealed class LongRequests(SyncFault fault)
{
    public const int Least = 1 << 20;

    // What is longer is not copied, but lent.
    public const int MostBytes = 16 << 20;

    private readonly object _gate = new();
    private readonly List<LaneChunk> _kept = [];
    private long _bytes;
    private long _keptBytes;

    /// <summary>An empty chunk for a request of so many bytes. Blocks until there is room for it.</summary>
    public LaneChunk Rent(int bytes)
    {
        lock (_gate)
        {
            while (_bytes > 0 && _bytes + bytes > MostBytes)
            {
                fault.ThrowIfSet();
                Monitor.Wait(_gate, 50);
            }

            _bytes += bytes;
            var chunk = _kept.Find(one => one.Requests.Capacity >= bytes) ?? new LaneChunk();
            if (_kept.Remove(chunk))
                _keptBytes -= chunk.Requests.Capacity;
            chunk.Rent = (this, bytes);
            return chunk;
        }
    }

    public void Return(LaneChunk chunk)
    {
        lock (_gate)
        {
            _bytes -= chunk.Rent.Bytes;
            Monitor.PulseAll(_gate);
            chunk.Clear();
            if (chunk.Requests.Capacity > MostBytes + Least)
                return;
            // Shorter ones make room for it.
            _kept.Sort((one, other) => one.Requests.Capacity.CompareTo(other.Requests.Capacity));
            while (_kept.Count > 0 && _keptBytes + chunk.Requests.Capacity > MostBytes
                && _kept[0].Requests.Capacity <= chunk.Requests.Capacity)
            {
                _keptBytes -= _kept[0].Requests.Capacity;
                _kept.RemoveAt(0);
            }

            if (_kept.Count == 0 || _keptBytes + chunk.Requests.Capacity <= MostBytes)
            {
                _kept.Add(chunk);
                _keptBytes += chunk.Requests.Capacity;
            }
        }
    }
}
