namespace RedisLatency.Workloads.Engine;

/// <summary>A worker's open loop: what is due is sent, held back for want of room, or counted as unsent.</summary>
internal sealed class ScheduledSending(
    ArrivalSchedule schedule, WorkerTime time, WorkerOperations operations, IDueSender sender)
{
    private long _noRoomAt = long.MinValue;

    /// <summary>Whether what is due found no room.</summary>
    public bool IsFull { get; private set; }

    public long Due => schedule.Due;

    public void Start() => schedule.Start(time.Start);

    public bool TrySendNext()
    {
        // What the warm-up could not send in its time is left out: it would go in the place of what is measured.
        while (schedule.Due < time.MeasureFrom && time.Now >= time.MeasureFrom)
            schedule.Take();
        var due = schedule.Due;
        if (due > time.Now || due >= time.StopAt || operations.Left == 0 || time.IsDraining)
            return false;
        if (IsFull)
            operations.RoomSince = time.Now;
        IsFull = operations.InFlight >= operations.Capacity || !sender.TryBegin(due);
        if (IsFull)
        {
            _noRoomAt = time.Now;
            return false;
        }

        if (due <= _noRoomAt && due >= time.MeasureFrom)
            operations.Counts.Load.HeldBack++;
        schedule.Take();
        return true;
    }

    public void CountUnsent()
    {
        var end = Math.Min(time.StopAt, operations.Counts.MeasuringEnded);
        for (; schedule.Due < end && operations.Left > 0; schedule.Take())
        {
            if (schedule.Due >= time.MeasureFrom)
                operations.CountUnsent();
        }
    }
}
