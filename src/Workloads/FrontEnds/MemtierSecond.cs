using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What happened in one second of a run.</summary>
internal sealed class MemtierSecond(int second)
{
    public int Second { get; } = second;

    public long Count { get; private set; }

    public long BytesSent { get; private set; }

    public long BytesReceived { get; private set; }

    public LatencyHistogram Latencies { get; } = LatencyHistogram.ForLatency();

    public void Add(in OperationCounts now, in OperationCounts before, LatencyHistogram latencies)
    {
        Count += latencies.TotalCount;
        BytesSent += now.BytesSent - before.BytesSent;
        BytesReceived += now.BytesReceived - before.BytesReceived;
        Latencies.Add(latencies);
    }

    public void Add(MemtierSecond part)
    {
        Count += part.Count;
        BytesSent += part.BytesSent;
        BytesReceived += part.BytesReceived;
        Latencies.Add(part.Latencies);
    }
}
