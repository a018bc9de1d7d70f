using System.Collections.Concurrent;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Delay;

/// <summary>What a link says it really did to the replication stream.</summary>
internal sealed class LinkTruth : ILinkWitness
{
    // Pings of the primary are shorter than any key that is written.
    private const int ShortestKey = 100;

    private readonly ConcurrentQueue<RelayedChunk> _chunks = new();

    public void Saw(in RelayedChunk chunk) => _chunks.Enqueue(chunk);

    /// <summary>
    /// How long keys of one size were on their way to the replica on the average, in nanoseconds: each chunk counts by
    /// its bytes.
    /// </summary>
    public double MeanOfKeys(long sinceNs)
    {
        var keys = _chunks.Where(chunk => chunk.Direction == LinkDirection.Back && chunk.Bytes >= ShortestKey
            && chunk.CameOut && chunk.ArrivedNs >= sinceNs).ToList();
        return keys.Sum(chunk => (double)chunk.GivenNs * chunk.Bytes) / keys.Sum(chunk => (double)chunk.Bytes);
    }
}
