using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Messaging.Sending;

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
