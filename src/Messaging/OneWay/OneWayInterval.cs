using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The messages that returned (at a consumer: that were received) during one window of the offset, and those before it
/// that came too late for their own. Valid until the next one is asked for.
/// </summary>
/// <param name="Window">The window.</param>
/// <param name="Measured">What its messages took.</param>
public readonly record struct OneWayInterval(OffsetWindow Window, OneWayMeasurement Measured)
{
    /// <summary>When it began, in nanoseconds of the producer's clock.</summary>
    public long StartNs => Window.StartNs;

    /// <summary>How long it lasted, in nanoseconds.</summary>
    public long LengthNs => Window.EndNs - Window.StartNs;
}
