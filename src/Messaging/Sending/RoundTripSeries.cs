using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Messaging.Sending;

/// <summary>Where one stream records its latencies, in nanoseconds; one writer, the stream's thread.</summary>
public sealed class RoundTripSeries
{
    public RoundTripSeries() =>
        (RoundTripFromIntended, NetworkFromIntended) = (new LatencyRecorder(RoundTrip), new LatencyRecorder(Network));

    /// <summary>Returned − sent.</summary>
    public LatencyRecorder RoundTrip { get; } = new();

    /// <summary>Returned − intended: what a user who keeps to the schedule waits. Open loop only.</summary>
    public LatencyRecorder RoundTripFromIntended { get; }

    /// <summary>Returned − sent − residence: the round trip less the consumer's own share. Frames only.</summary>
    public LatencyRecorder Network { get; } = new();

    /// <summary>Returned − intended − residence. Frames in the open loop only.</summary>
    public LatencyRecorder NetworkFromIntended { get; }

    /// <summary>Echoed − received, by the consumer's clock alone. Frames only.</summary>
    public LatencyRecorder Residence { get; } = new();

    /// <summary>Sent − intended: how well the schedule was kept. Open loop only.</summary>
    public LatencyRecorder Lateness { get; } = new();

    /// <summary>How long after the end of the schedule messages returned, of those that did then.</summary>
    public LatencyHistogram AfterEnd { get; } = LatencyHistogram.ForLatency();
}
