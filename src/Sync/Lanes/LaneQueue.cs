using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>What shards have handed to a lane and it has not taken up; and chunks that can be used again.</summary>
internal sealed class LaneQueue(SyncFault fault) : IDisposable
{
    private const long MostBytes = 2 << 20;
    private const int MostPooled = 16;

    private readonly Lock _gate = new();
    private readonly Queue<LaneChunk> _chunks = new();
    private readonly Stack<LaneChunk> _pool = new();
    private readonly SemaphoreSlim _room = new(0);
    private long _bytes;
    private int _waitingForRoom;

    public bool IsEmpty
    {
        get
        {
            lock (_gate)
                return _chunks.Count == 0;
        }
    }

    // When the oldest was received from the source; 0 where there is none.
    public long OldestNs
    {
        get
        {
            lock (_gate)
                return _chunks.TryPeek(out var chunk) ? chunk.ReceivedNs : 0;
        }
    }

    public LaneChunk Rent()
    {
        lock (_gate)
            return _pool.TryPop(out var chunk) ? chunk : new LaneChunk();
    }

    public void Leave(LaneChunk chunk)
    {
        if (chunk.Rent.Owner is { } owner)
        {
            owner.Return(chunk);
            return;
        }

        if (!chunk.MayBeKept)
            return;
        chunk.Clear();
        lock (_gate)
        {
            if (_pool.Count < MostPooled)
                _pool.Push(chunk);
        }
    }

    /// <summary>Blocks while too many bytes wait.</summary>
    public void WaitForRoom()
    {
        while (Volatile.Read(ref _bytes) > MostBytes)
        {
            Interlocked.Increment(ref _waitingForRoom);
            try
            {
                if (Volatile.Read(ref _bytes) > MostBytes)
                    _room.Wait(100, fault.Ended);
            }
            finally
            {
                Interlocked.Decrement(ref _waitingForRoom);
            }
        }
    }

    public void Add(LaneChunk chunk)
    {
        Interlocked.Add(ref _bytes, chunk.Length);
        lock (_gate)
            _chunks.Enqueue(chunk);
    }

    public LaneChunk? Take()
    {
        LaneChunk? chunk;
        lock (_gate)
        {
            if (!_chunks.TryDequeue(out chunk))
                return null;
        }

        Interlocked.Add(ref _bytes, -chunk.Length);
        if (Volatile.Read(ref _waitingForRoom) > 0)
            _room.Release();
        return chunk;
    }

    public void Dispose() => _room.Dispose();
}
