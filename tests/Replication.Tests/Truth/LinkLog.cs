using System.Collections.Concurrent;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Truth;

/// <summary>What a link says it really did to the replication stream.</summary>
internal sealed class LinkLog : ILinkObserver
{
    private readonly ConcurrentQueue<RelayedChunk> _chunks = new();

    /// <summary>What came to the replica, in order.</summary>
    public IReadOnlyList<RelayedChunk> ToReplica =>
        [.. _chunks.Where(chunk => chunk.Direction == LinkDirection.Back && chunk.CameOut)];

    /// <summary>How many bytes went to the server.</summary>
    public long BytesForward =>
        _chunks.Where(chunk => chunk.Direction == LinkDirection.Forward).Sum(chunk => (long)chunk.Bytes);

    public void Saw(in RelayedChunk chunk) => _chunks.Enqueue(chunk);
}
