namespace RedisLatency.Server.Links;

/// <summary>A connection's bytes inside the link, one way: a ring, and beside it the chunks' sizes and times.</summary>
internal sealed class ChunkQueue(int maxBytes)
{
    private const int LargestChunk = 64 << 10;

    private const int MaxChunks = 1 << 14;

    private readonly Queue<Chunk> _chunks = new();
    private byte[] _ring = new byte[Math.Min(LargestChunk, maxBytes)];
    private int _start;
    private int _length;

    public bool IsFull => _length >= maxBytes || _chunks.Count >= MaxChunks;

    public bool IsEmpty => _chunks.Count == 0;

    public Chunk First => _chunks.Peek();

    /// <summary>Where the next bytes may be read to; what is read there is told by <see cref="Add"/>.</summary>
    public Span<byte> Space(int most)
    {
        if (_length == _ring.Length)
            Grow();
        var end = (_start + _length) % _ring.Length;
        var free = Math.Min(_ring.Length - end, _ring.Length - _length);
        return _ring.AsSpan(end, Math.Min(free, Math.Min(most, LargestChunk)));
    }

    public void Add(Chunk chunk)
    {
        _length += chunk.Bytes;
        _chunks.Enqueue(chunk);
    }

    public ReadOnlySpan<byte> Rest(int sent) =>
        _ring.AsSpan(_start, Math.Min(_chunks.Peek().Bytes - sent, _ring.Length - _start));

    public void Skip(int bytes)
    {
        _start = (_start + bytes) % _ring.Length;
        _length -= bytes;
    }

    public Chunk Remove()
    {
        var chunk = _chunks.Dequeue();
        if (_chunks.Count == 0)
            _start = 0;
        return chunk;
    }

    private void Grow()
    {
        var larger = new byte[Math.Min(_ring.Length * 2L, maxBytes)];
        var first = Math.Min(_length, _ring.Length - _start);
        _ring.AsSpan(_start, first).CopyTo(larger);
        _ring.AsSpan(0, _length - first).CopyTo(larger.AsSpan(first));
        (_ring, _start) = (larger, 0);
    }

    internal readonly record struct Chunk(int Bytes, long ArrivedNs, long AskedNs, long DueNs);
}
