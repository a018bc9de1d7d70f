using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// What each connection of a worker did by itself, kept only where that is asked for: it allocates once a second.
/// </summary>
internal sealed class ClientRecords(WorkerTime time, int connections, int operations)
{
    private const long LongestUs = 3_600_000_000;

    private readonly List<ClientSecond>[] _seconds =
        [.. Enumerable.Range(0, connections).Select(_ => new List<ClientSecond>())];

    private readonly LatencyHistogram[] _latencies =
    [
        .. Enumerable.Range(0, connections * operations).Select(_ => new LatencyHistogram(1, LongestUs, 2)),
    ];

    public int Connections => connections;

    /// <summary>Whose operations begin and end now.</summary>
    public int Connection { get; set; }

    public IReadOnlyList<ClientSecond> SecondsOf(int connection) => _seconds[connection];

    /// <summary>In microseconds, with two digits.</summary>
    public LatencyHistogram LatenciesOf(int connection, int operation) =>
        _latencies[(connection * operations) + operation];

    public void CountSent(int operation, int bytes)
    {
        if (operation < operations)
            Now()[operation].BytesSent += bytes;
    }

    public void CountReceived(int operation, int bytes)
    {
        if (operation < operations)
            Now()[operation].BytesReceived += bytes;
    }

    public void CountRead(int operation, int hits, int misses)
    {
        if (operation >= operations)
            return;
        ref var counts = ref Now()[operation];
        counts.Hits += hits;
        counts.Misses += misses;
    }

    public void CountEnd(int operation, long latencyNs)
    {
        if (operation >= operations)
            return;
        ref var counts = ref Now()[operation];
        counts.Completed++;
        counts.LatencyNs += latencyNs;
        _latencies[(Connection * operations) + operation].Record(latencyNs / 1000);
    }

    private ClientCounts[] Now()
    {
        var number = (int)Math.Max(0, (time.Now - time.MeasureFrom) / 1_000_000_000);
        var all = _seconds[Connection];
        if (all.Count == 0 || all[^1].Number < number)
            all.Add(new ClientSecond(number, new ClientCounts[operations]));
        return all[^1].Operations;
    }
}

/// <summary>A second of the measured stretch, from 0.</summary>
internal sealed record ClientSecond(int Number, ClientCounts[] Operations);

internal struct ClientCounts
{
    public long Completed;
    public long LatencyNs;
    public long Hits;
    public long Misses;
    public long BytesSent;
    public long BytesReceived;
}
