using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <content>The open loop: operations are due whatever became of those before.</content>
internal sealed partial class ClientWorker
{
    private const long WakeUpNs = 50_000;

    private long _noRoomAt = long.MinValue;
    private long _roomSince;
    private bool _wantsRoom;

    private void RunOpen(ArrivalSchedule schedule)
    {
        schedule.Start(_start);
        foreach (var caller in _callers)
            _idle.Enqueue(caller);
        while (true)
        {
            var now = MonotonicClock.NowNs();
            if (now >= _nextTick || _stopAsked != _isDraining)
                Tick();
            if (IsFinished())
                break;
            if (_isDraining)
                Wait(_nextTick - now);
            else if (TryTakeDue(schedule, now, out var caller))
                _ = Call(caller, ClientStep.Send);
            else
                WaitFor(schedule.Due, now);
        }

        CountUnsent(schedule);
    }

    private bool TryTakeDue(ArrivalSchedule schedule, long now, [NotNullWhen(true)] out ClientOperation? caller)
    {
        caller = null;
        // What the warm-up could not send in its time is left out: it would go in the place of what is measured.
        while (schedule.Due < _measureFrom && now >= _measureFrom)
            schedule.Take();
        lock (_lock)
        {
            if (schedule.Due > now || schedule.Due >= _stopAt || _left == 0)
                return false;
            if (_wantsRoom)
                Volatile.Write(ref _roomSince, now);
            _wantsRoom = !_idle.TryDequeue(out caller);
            if (caller is null)
            {
                _noRoomAt = now;
                return false;
            }

            if (schedule.Due <= _noRoomAt && schedule.Due >= _measureFrom)
                Counts.HeldBack++;
            Draw(caller, schedule.Due);
            schedule.Take();
            return true;
        }
    }

    private void WaitFor(long due, long now)
    {
        var left = Math.Min(due, _stopAt) - now;
        if (left <= 0)
            Wait(_nextTick - now);
        else if (left > WakeUpNs)
            TimedWait.Until(Math.Min(now + left - WakeUpNs, _nextTick));
        else
            Spin(now + left);
    }

    private static void Spin(long until)
    {
        while (MonotonicClock.NowNs() < until)
        {
        }
    }

    private void CountUnsent(ArrivalSchedule schedule)
    {
        var end = Math.Min(_stopAt, Counts.MeasuringEnded);
        for (; schedule.Due < end && _left > 0; schedule.Take())
        {
            if (schedule.Due < _measureFrom)
                continue;
            Counts.Unsent++;
            _left--;
        }
    }
}
