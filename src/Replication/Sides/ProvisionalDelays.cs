using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// Delays for the live view, by what is known of the writer's clock when each key is found. One thread adds; it
/// allocates nothing.
/// </summary>
internal sealed class ProvisionalDelays
{
    /// <summary>From when keys were sent: the middles.</summary>
    public LatencyRecorder FromSent { get; } = new();

    /// <summary>From when they were due.</summary>
    public LatencyRecorder FromIntended { get; } = new();

    /// <summary>Adds the delay of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="offsetNs">The writer's time minus ours as far as it is known.</param>
    public void Add(in FoundKey key, long offsetNs)
    {
        var found = key.FoundNs + offsetNs;
        var lastMiss = key.LastMissNs == 0 ? key.SentNs : Math.Max(key.LastMissNs + offsetNs, key.SentNs);
        var middle = lastMiss + ((found - lastMiss) / 2);
        FromSent.Record(middle - key.SentNs);
        FromIntended.Record(middle - key.IntendedNs);
    }
}
