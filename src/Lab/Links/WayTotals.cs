using RedisLatency.Metrics.Histograms;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>What a link really did one way, over its whole life.</summary>
internal sealed class WayTotals
{
    private readonly long[] _fates = new long[Enum.GetValues<ChunkFate>().Length];

    /// <summary>How long what came out really took, in nanoseconds.</summary>
    public LatencyHistogram Given { get; } = LatencyHistogram.ForLatency();

    /// <summary>How much longer than the delay and jitter that were asked for, in nanoseconds.</summary>
    public LatencyHistogram Late { get; } = LatencyHistogram.ForLatency();

    /// <summary>Chunks and datagrams that went in, and copies.</summary>
    public long Chunks { get; private set; }

    /// <summary>Bytes that came out.</summary>
    public long Bytes { get; private set; }

    public long CountOf(ChunkFate fate) => _fates[(int)fate];

    public void Add(in RelayedChunk chunk)
    {
        Chunks++;
        _fates[(int)chunk.Fate]++;
        if (!chunk.CameOut)
            return;
        Bytes += chunk.Bytes;
        Given.Record(chunk.GivenNs);
        Late.Record(Math.Max(0, chunk.GivenNs - chunk.AskedNs));
    }
}
