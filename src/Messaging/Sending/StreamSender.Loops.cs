using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Messaging.Sending;

/// <content>The measured loops.</content>
public sealed partial class StreamSender
{
    /// <summary>
    /// How long to wait for a message at most. Lanes come back earlier, several times a second, and so does a request
    /// to stop; a wait that is long enough lets the raw lane block in one recv instead of polling first.
    /// </summary>
    private const long WaitSliceNs = 1_000_000_000;

    /// <summary>How often a stream without a connection looks whether it shall stop.</summary>
    private const long RestoreSliceNs = 100_000_000;

    /// <summary>The last stretch is for the clock alone: one more look at the socket would take longer.</summary>
    private const long ClockOnlyNs = 2_000;

    /// <summary>Messages sent in one go after a stall before replies are read again.</summary>
    private const int CatchUpBudget = 16;

    /// <summary>Messages taken in one go before the schedule is looked at again.</summary>
    private const int ReceiveBudget = 64;

    private const long EndDeadlineNs = 1_000_000_000;

    private void RunClosedLoop(StreamLimit limit, CancellationToken stop)
    {
        var start = MonotonicClock.NowNs();
        var (end, first) = (limit.EndOf(start), _sequence);
        while (!stop.IsCancellationRequested && limit.Allows(_sequence - first, MonotonicClock.NowNs() - start))
        {
            // One message at a time: a second look at the socket would be one more system call in every round trip.
            if (_connection.Lane is { } lane)
                TrySend(lane, intended: null);
            else
                Receive(Math.Min(end, MonotonicClock.NowNs() + WaitSliceNs));

            // A phase lasts until its end, whoever does not answer: what is under way then is waited for afterwards.
            for (var now = MonotonicClock.NowNs();
                _window.Count > 0 && now < end && !stop.IsCancellationRequested;
                now = MonotonicClock.NowNs())
            {
                Receive(Math.Min(Math.Min(_window.NextExpiry + 1, now + WaitSliceNs), end), budget: 1);
            }
        }

        ScheduleEnd = PhaseEnd = MonotonicClock.NowNs();
    }

    private void RunOpenLoop(long start, StreamLimit limit, CancellationToken stop)
    {
        var schedule = _schedule!;
        schedule.Start(start);
        _receiver.EndsAt = long.MaxValue;
        while (!stop.IsCancellationRequested && limit.Allows(schedule.Taken, schedule.Due - start))
        {
            var isFull = SendWhatIsDue(start, limit);
            var now = MonotonicClock.NowNs();
            var next = isFull ? Math.Min(_window.NextExpiry + 1, now + WaitSliceNs) : schedule.Due;
            if (next - now > _wakeUp.Ns)
                WaitFor(Math.Min(next - _wakeUp.Ns, now + WaitSliceNs));
            else if (next - now > ClockOnlyNs || next <= now)
                Receive(0);
        }

        // The last message is due before the end, and a phase lasts until its end.
        var end = limit.EndOf(start);
        for (var now = MonotonicClock.NowNs();
            now < end && end <= schedule.Due && !stop.IsCancellationRequested;
            now = MonotonicClock.NowNs())
        {
            Receive(Math.Min(end, now + WaitSliceNs));
        }

        ScheduleEnd = stop.IsCancellationRequested ? MonotonicClock.NowNs() : Math.Min(end, schedule.Due);
        PhaseEnd = Math.Max(ScheduleEnd, _lastTaken);
        _receiver.EndsAt = PhaseEnd;
    }

    private void WaitFor(long untilNs)
    {
        Receive(untilNs);
        _wakeUp.Learn(untilNs, MonotonicClock.NowNs());
    }

    // Returns whether a message is due that has no room in flight.
    private bool SendWhatIsDue(long start, StreamLimit limit)
    {
        var schedule = _schedule!;
        for (var budget = CatchUpBudget; budget > 0; budget--)
        {
            var now = MonotonicClock.NowNs();
            if (schedule.Due > now || !limit.Allows(schedule.Taken, schedule.Due - start))
                return false;
            var lane = _connection.Lane;
            if (_isFull && _window.HasRoom)
                (_isFull, _roomSince) = (false, now);
            _isFull |= !_window.HasRoom;
            if (lane is not null && !_window.HasRoom && now - schedule.Due <= _options.ReceiveDeadlineNs)
                return true;
            // Those behind the first that waited have waited, too.
            if (lane is not null && (!_window.HasRoom || schedule.Due < _roomSince))
                Counts.LimitHits++;
            if (lane is null || !_window.HasRoom || !TrySend(lane, schedule.Due))
                Counts.Unsent++;
            schedule.Take();
            _lastTaken = now;
        }

        return false;
    }
}
