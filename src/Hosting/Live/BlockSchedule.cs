namespace RedisLatency.Hosting.Live;

/// <summary>
/// When blocks and intervals end: sixteen blocks a second at first, and half as many whenever there are 128, because
/// <see cref="Metrics.Statistics.SampleBlocks"/> puts pairs together then. So even a run of five seconds has blocks
/// enough, and a long one pays for no more than one a second.
/// </summary>
public sealed class BlockSchedule
{
    public const int TicksPerSecond = 16;

    private const int BlocksUntilHalved = 128;

    private long _tick;

    public static TimeSpan Tick { get; } = TimeSpan.FromSeconds(1) / TicksPerSecond;

    /// <summary>Whether a block ends with the tick that it was moved to last.</summary>
    public bool EndsBlock { get; private set; }

    /// <summary>Whether an interval ends with it, and so a block does.</summary>
    public bool EndsInterval { get; private set; }

    /// <summary>Moves on to a time since the begin; ticks that were missed end with this one.</summary>
    public void MoveTo(TimeSpan elapsed)
    {
        var tick = (long)((elapsed / Tick) + 0.5);
        var ticksPerBlock = 1;
        while (ticksPerBlock < TicksPerSecond && _tick >= BlocksUntilHalved * ticksPerBlock)
            ticksPerBlock *= 2;
        EndsInterval = tick / TicksPerSecond > _tick / TicksPerSecond;
        EndsBlock = EndsInterval || tick / ticksPerBlock > _tick / ticksPerBlock;
        _tick = tick;
    }
}
