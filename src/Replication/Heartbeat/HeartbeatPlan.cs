namespace RedisLatency.Replication.Heartbeat;

/// <summary>What the options mean once every default is settled.</summary>
internal sealed class HeartbeatPlan(HeartbeatOptions options)
{
    /// <summary>The options.</summary>
    public HeartbeatOptions Options { get; } = options;

    /// <summary>The run's name.</summary>
    public string Run { get; } = options.Identity.Run ?? "default";

    /// <summary>The process's name.</summary>
    public string Instance { get; } = options.Identity.Instance ?? Environment.MachineName;

    /// <summary>From one heartbeat to the next, in nanoseconds.</summary>
    public long IntervalNs => Options.Interval.Ticks * TimeSpan.NanosecondsPerTick;

    /// <summary>How many heartbeats of a shard there will be.</summary>
    public long Beats => Options.Duration is { } duration
        ? Math.Max(1, (long)Math.Ceiling(duration / Options.Interval))
        : long.MaxValue;

    /// <summary>How long a lost connection is tried for.</summary>
    public TimeSpan ReconnectLimit => Options.ReconnectTimeout ?? TimeSpan.MaxValue;
}
