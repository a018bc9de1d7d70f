namespace RedisLatency.Workloads.Engine;

/// <summary>
/// The times that the parts of a worker share, in monotonic nanoseconds: now, the start, the end. Used on its thread
/// alone.
/// </summary>
internal sealed class WorkerTime
{
    /// <summary>When the clock was read last, which is not for every operation.</summary>
    public long Now { get; set; }

    /// <summary>When what no reply tells is looked at next.</summary>
    public long NextTick { get; set; }

    /// <summary>Zero until the start is known.</summary>
    public long Start { get; set; }

    public long MeasureFrom { get; set; }

    /// <summary>From when on an answer to the warm-up is of the time that is measured.</summary>
    public long AnswersFrom { get; set; }

    public long StopAt { get; set; } = long.MaxValue;

    /// <summary>When a schedule ends: what is answered later counts beside. Never in a closed loop.</summary>
    public long EndsAt { get; set; } = long.MaxValue;

    public bool IsDraining { get; set; }

    public void TickBy(long due) => NextTick = Math.Min(NextTick, due);
}
