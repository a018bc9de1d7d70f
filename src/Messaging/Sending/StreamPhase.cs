using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Messaging.Sending;

/// <summary>One phase of a stream: the warm-up or the measurement.</summary>
public sealed record StreamPhase
{
    /// <summary>Whether its messages are flagged as warm-up.</summary>
    public required bool IsWarmUp { get; init; }

    /// <summary>Whether it goes on with the phase before it after a pause, by the same sequence and counts.</summary>
    public bool Continues { get; init; }

    /// <summary>How long it lasts.</summary>
    public required StreamLimit Limit { get; init; }

    /// <summary>When its first message is due, in nanoseconds; the closed loop begins at once.</summary>
    public required long Start { get; init; }

    /// <summary>The consumers that are known to be there; each owes an echo of every message.</summary>
    public required IReadOnlyList<ulong> Consumers { get; init; }

    /// <summary>Where the stamps of returned messages go; null where nobody wants them.</summary>
    public StampRing? Stamps { get; init; }

    /// <summary>Where it counts.</summary>
    public StreamCounts Counts { get; init; } = new();

    /// <summary>Where it records.</summary>
    public RoundTripSeries Series { get; init; } = new();
}

/// <summary>How long a phase lasts.</summary>
/// <param name="Messages">A number of messages; null where only time counts.</param>
/// <param name="Duration">A time; null where only messages count.</param>
/// <param name="UntilBoth">Whether both must be reached, rather than the first of them.</param>
public readonly record struct StreamLimit(long? Messages, TimeSpan? Duration, bool UntilBoth = false)
{
    /// <summary>Whether another message is due.</summary>
    /// <param name="taken">How many were.</param>
    /// <param name="elapsedNs">How long after the start it would be due, in nanoseconds.</param>
    public bool Allows(long taken, long elapsedNs)
    {
        var byMessages = Messages is { } messages && taken >= messages;
        var byDuration = Duration is { } duration && elapsedNs >= duration.InNanoseconds;
        return UntilBoth
            ? !((byMessages || Messages is null) && (byDuration || Duration is null))
            : !byMessages && !byDuration;
    }

    /// <summary>
    /// When a phase ends that began then, in nanoseconds; the end of time where messages alone end it.
    /// </summary>
    internal long EndOf(long startNs) =>
        Duration is { } duration && !UntilBoth ? startNs + duration.InNanoseconds : long.MaxValue;
}

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
