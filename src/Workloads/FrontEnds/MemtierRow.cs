using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Sets, gets, waits, a command of one's own, or all.</summary>
internal sealed class MemtierRow(string name, bool countsBytes = true)
{
    private readonly SortedDictionary<int, MemtierSecond> _seconds = [];

    public string Name { get; } = name;

    public bool CountsBytes { get; } = countsBytes;

    /// <summary>As the table calls it: Sets.</summary>
    public string Title => Name == "TOTALS" ? "Totals" : $"{Name[..1]}{Name[1..].ToLowerInvariant()}s";

    public long Count { get; private set; }

    public long Hits { get; private set; }

    public long Misses { get; private set; }

    public long Moved { get; private set; }

    public long Ask { get; private set; }

    public long BytesSent { get; private set; }

    public long BytesReceived { get; private set; }

    public long Bytes => BytesSent + BytesReceived;

    public LatencyHistogram Latencies { get; } = LatencyHistogram.ForLatency();

    public IEnumerable<MemtierSecond> Seconds => _seconds.Values;

    public void Add(OperationTotals result, LatencyHistogram latencies)
    {
        Count += result.Counts.Completed;
        Hits += result.Counts.Hits;
        Misses += result.Counts.Misses;
        Moved += result.ErrorReplies.GetValueOrDefault("MOVED");
        Ask += result.ErrorReplies.GetValueOrDefault("ASK");
        BytesSent += result.Counts.BytesSent;
        BytesReceived += result.Counts.BytesReceived;
        Latencies.Add(latencies);
    }

    public void Add(MemtierSecond part)
    {
        if (!_seconds.TryGetValue(part.Second, out var second))
            _seconds.Add(part.Second, second = new MemtierSecond(part.Second));
        second.Add(part);
    }
}
