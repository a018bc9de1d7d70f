using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Messaging.Sending;

/// <summary>Where one stream records its latencies, in nanoseconds; one writer, the stream's thread.</summary>
public sealed class RoundTripSeries
{
    /// <summary>Returned − sent.</summary>
    public LatencyRecorder RoundTrip { get; } = new();

    /// <summary>Returned − intended: what a user who keeps to the schedule waits. Open loop only.</summary>
    public LatencyRecorder RoundTripFromIntended { get; } = new();

    /// <summary>Returned − sent − residence: the round trip less the consumer's own share. Frames only.</summary>
    public LatencyRecorder Network { get; } = new();

    /// <summary>Returned − intended − residence. Frames in the open loop only.</summary>
    public LatencyRecorder NetworkFromIntended { get; } = new();

    /// <summary>Echoed − received, by the consumer's clock alone. Frames only.</summary>
    public LatencyRecorder Residence { get; } = new();

    /// <summary>Sent − intended: how well the schedule was kept. Open loop only.</summary>
    public LatencyRecorder Lateness { get; } = new();
}
