namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatPlan(HeartbeatOptions options)
{
    public HeartbeatOptions Options { get; } = options;
    public string Run { get; } = options.Identity.Run ?? "default";
    public string Instance { get; } = options.Identity.Instance ?? Environment.MachineName;

    public long IntervalNs => Options.Interval.Ticks * TimeSpan.NanosecondsPerTick;

    public long Beats => Options.Duration is { } duration
        ? Math.Max(1, (long)Math.Ceiling(duration / Options.Interval))
        : long.MaxValue;

    public TimeSpan ReconnectLimit => Options.ReconnectTimeout ?? TimeSpan.MaxValue;
}
