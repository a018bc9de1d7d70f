using RedisLatency.Metrics.Recording;

namespace RedisLatency.Replication.Delay.Reading;

/// <summary>The delays of a session, and how many keys have none. One thread records.</summary>
internal sealed class DelayTally
{
    private readonly List<long> _missing = [];

    /// <summary>The delays from when each key was sent.</summary>
    public DelaySeries FromSent { get; } = new(DelaySeriesNames.Delay);

    /// <summary>The delays from when each key was due.</summary>
    public DelaySeries FromIntended { get; } = new(DelaySeriesNames.DelayFromIntended);

    /// <summary>How long each delay's interval was.</summary>
    public LatencyRecorder Uncertainty { get; } = new();

    /// <summary>Keys that were read as they were written.</summary>
    public long Read { get; set; }

    /// <summary>Keys that had another value.</summary>
    public long Overwritten { get; set; }

    /// <summary>How many keys are missing.</summary>
    public long MissingCount { get; private set; }

    /// <summary>The numbers of the keys that were not there when their deadline had passed.</summary>
    public IReadOnlyList<long> Missing => _missing;

    /// <summary>Keeps a key as missing.</summary>
    public void Miss(long sequence)
    {
        _missing.Add(sequence);
        MissingCount++;
    }

    /// <summary>Adds the delay of a key: when it was sent, when due, and between which instants it came.</summary>
    public void Record(long sentNs, long intendedNs, long lastMissNs, long foundNs)
    {
        FromSent.Record(lastMissNs - sentNs, foundNs - sentNs);
        FromIntended.Record(lastMissNs - intendedNs, foundNs - intendedNs);
        Uncertainty.Record(foundNs - lastMissNs);
    }
}
