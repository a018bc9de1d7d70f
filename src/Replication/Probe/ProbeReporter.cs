using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Probe;

/// <summary>Shows and logs what a session measures while it does, and says what became of its probes.</summary>
internal abstract class ProbeReporter : IDisposable
{
    public abstract IReadOnlyList<MetricSeries> Series { get; }

    // How long those on the way of a probe waited for a processor.
    public abstract IReadOnlyList<ProcessorWaits> Waits { get; }

    public abstract long DurationNs { get; }

    // The time that the rate is divided by.
    public virtual long WritingNs => DurationNs;

    public virtual HeartbeatFacts? Heartbeat => null;

    // Of all probes, beside what became of them.
    public virtual IReadOnlyList<RecordedMetric> Rows => [];

    public virtual string? EndedBy => null;

    // Whether there was time for a probe to be read.
    public virtual bool HasMeasured => true;

    public abstract void Begin();

    // No more is measured.
    public abstract void Stop();

    public virtual void RequireServers()
    {
    }

    // When nothing more can come: probes without a delay are slower than all others.
    public abstract void Finish();

    public abstract IEnumerable<MeasuredThreshold> Thresholds(ProbeAccount account);

    public abstract IEnumerable<string> Faults(ProbeAccount account);

    public virtual IEnumerable<string> Doubts() => [];

    public abstract IEnumerable<string> Notes(ProbeAccount account);

    public abstract void Dispose();
}
