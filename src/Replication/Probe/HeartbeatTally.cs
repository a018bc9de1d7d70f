using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Probe;

/// <summary>What became of a way's heartbeats. Settled ones are forgotten: it may last for good. Thread safe.</summary>
internal sealed class HeartbeatTally(HeartbeatSchedule schedule, bool isReadHere = true)
    : IHeartbeatCounter, IDisposable
{
    // More spells of refusals than that, none of which a seen heartbeat came after, become one.
    private const int MostSpells = 64;

    // Their stamps are kept, so that those that are overwritten before they are seen have a delay.
    private const int MostKept = 4096;
    private const long Refused = -1;

    private readonly Lock _gate = new();
    private readonly AutoResetEvent _isSent = new(initialState: false);
    private readonly (long DueNs, long SentNs, long HeldUp)[] _stamps = new (long, long, long)[MostKept];
    private long _heldUp;
    private readonly LinkedList<(long Last, long Count)> _refusedAhead = new();
    private long _sent;
    private long _unsent;
    private long _refused;
    private long _seen;
    private long _skipped;
    private long _foreign;
    private long _outageFrom = -1;
    private long _newestSentNs;
    private long _lastSeen = -1;
    private long _lastSeenSentNs;
    private long _lastSeenAtNs;
    private long _longestAgeNs;

    public long LastSeen
    {
        get
        {
            lock (_gate)
                return _lastSeen;
        }
    }

    public long Send(long dueNs, long sentNs, long heldUp = 0)
    {
        lock (_gate)
        {
            _newestSentNs = sentNs;
            _stamps[_sent % MostKept] = (dueNs, sentNs, heldUp);
            _unsent += heldUp;
            _heldUp += heldUp;
            _isSent.Set();
            return _sent++;
        }
    }

    public bool WasSent(long number, out long dueNs, out long sentNs, out long heldUp)
    {
        lock (_gate)
        {
            var oldest = Math.Max(0, _sent - MostKept);
            (dueNs, sentNs, heldUp) = _stamps[Math.Max(number, oldest) % MostKept];
            if (number < oldest)
                (dueNs, sentNs, heldUp) = (0, sentNs == Refused ? _newestSentNs : sentNs, 0);
            return sentNs != Refused;
        }
    }

    public void WaitUntilSent(TimeSpan limit) => _isSent.WaitOne(limit);

    public void BeginOutage(long beat)
    {
        lock (_gate)
            _outageFrom = beat;
    }

    public long EndOutage()
    {
        lock (_gate)
        {
            var next = Math.Max(_outageFrom, schedule.DueBy(MonotonicClock.NowNs()));
            _unsent += next - _outageFrom;
            _outageFrom = -1;
            return next;
        }
    }

    public void Refuse(long number)
    {
        lock (_gate)
        {
            // A later one was seen before this answer came: it counts as skipped already.
            if (number < _lastSeen)
                return;
            _refused++;
            _stamps[number % MostKept].SentNs = Refused;
            if (_refusedAhead.Last is { } last && (last.Value.Last == number - 1 || _refusedAhead.Count == MostSpells))
                last.Value = (number, last.Value.Count + 1);
            else
                _refusedAhead.AddLast((number, 1));
        }
    }

    public void See(long number, long sentNs, long foundNs)
    {
        lock (_gate)
        {
            long refused = 0;
            while (_refusedAhead.First is { } spell && spell.Value.Last < number)
            {
                refused += spell.Value.Count;
                _refusedAhead.RemoveFirst();
            }

            _seen++;
            _longestAgeNs = Math.Max(_longestAgeNs, AgeOf(_lastSeenSentNs, foundNs));
            _skipped += Math.Max(0, number - _lastSeen - 1 - refused);
            (_lastSeen, _lastSeenSentNs, _lastSeenAtNs) = (number, sentNs, foundNs);
        }
    }

    public void FindForeign()
    {
        lock (_gate)
            _foreign++;
    }

    public long TakeLongestAge()
    {
        lock (_gate)
        {
            var longest = Math.Max(_longestAgeNs, AgeOf(_lastSeenSentNs, MonotonicClock.NowNs()));
            _longestAgeNs = 0;
            return longest;
        }
    }

    public HeartbeatCounts Count()
    {
        lock (_gate)
        {
            var now = MonotonicClock.NowNs();
            var due = _outageFrom < 0 ? 0 : Math.Max(0, schedule.DueBy(now) - _outageFrom);
            return new HeartbeatCounts(
                _sent,
                _unsent + due,
                _refused,
                _seen,
                _skipped,
                _sent - _refused - _seen - _skipped,
                _foreign,
                AgeOf(_lastSeenSentNs, now),
                AgeOf(_lastSeenAtNs, now),
                _newestSentNs,
                _heldUp);
        }
    }

    public void Dispose() => _isSent.Dispose();

    // Before the first one is seen nothing is older than the beginning.
    private long AgeOf(long stampNs, long nowNs)
    {
        var from = stampNs != 0 ? stampNs : schedule.StartNs;
        return from == 0 || !isReadHere ? 0 : Math.Max(0, nowNs - from);
    }
}

internal interface IHeartbeatCounter
{
    HeartbeatCounts Count();
    long TakeLongestAge();
}

/// <summary>What became of heartbeats by a moment: asked = unsent + refused + seen + skipped + waiting.</summary>
internal readonly record struct HeartbeatCounts(
    long Sent,
    long Unsent,
    long Refused,
    long Seen,
    long Skipped,
    long Waiting,
    long Foreign,
    long AgeNs,
    long SilenceNs,
    long NewestSentNs,
    long HeldUp = 0)
{
    // Of those that were not sent, HeldUp were due while this process was held up: a newer one left.
    public long LeftOut => Unsent - HeldUp;

    public long WithoutDelay => LeftOut + Refused;

    public long Asked => Sent + Unsent;

    public static HeartbeatCounts operator +(HeartbeatCounts one, HeartbeatCounts other) => new(
        one.Sent + other.Sent,
        one.Unsent + other.Unsent,
        one.Refused + other.Refused,
        one.Seen + other.Seen,
        one.Skipped + other.Skipped,
        one.Waiting + other.Waiting,
        one.Foreign + other.Foreign,
        Math.Max(one.AgeNs, other.AgeNs),
        Math.Max(one.SilenceNs, other.SilenceNs),
        Math.Max(one.NewestSentNs, other.NewestSentNs),
        one.HeldUp + other.HeldUp);

    // What was taken for unsent while its writer was not heard of may have been sent all the same.
    public HeartbeatCounts Since(HeartbeatCounts before) => this with
    {
        Sent = Math.Max(0, Sent - before.Sent),
        Unsent = Math.Max(0, Unsent - before.Unsent),
        Refused = Refused - before.Refused,
        Seen = Seen - before.Seen,
        Skipped = Skipped - before.Skipped,
        Foreign = Foreign - before.Foreign,
        HeldUp = HeldUp - before.HeldUp,
    };
}

internal sealed class HeartbeatSchedule(long intervalNs, long count)
{
    private long _startNs;

    public long StartNs => Volatile.Read(ref _startNs);

    public long IntervalNs => intervalNs;

    public long Count => count;

    public void Begin(long startNs) => Volatile.Write(ref _startNs, startNs);

    public long DueOf(long beat) => StartNs + (beat * intervalNs);

    public long DueBy(long nowNs) => nowNs < StartNs ? 0 : Math.Min(count, ((nowNs - StartNs) / intervalNs) + 1);
}

internal sealed class OwnHeartbeats(
    HeartbeatKey key, HeartbeatTally tally, DelayTally delays, long intervalNs, Action<long, long> took)
    : IAwaitedHeartbeats
{
    private long _lastIntendedNs;

    public HeartbeatKey Key => key;

    public bool AreAwaited(out long overdueNs)
    {
        var counts = tally.Count();
        overdueNs = Math.Max(0, counts.AgeNs - intervalNs);
        return counts.Waiting > 0;
    }

    public void WaitUntilAwaited(TimeSpan limit) => tally.WaitUntilSent(limit);

    public bool IsNew(HeartbeatKey key, long number) => number > tally.LastSeen;

    public void See(HeartbeatKey key, in FoundHeartbeat beat)
    {
        for (var older = tally.LastSeen + 1; older < beat.Number; older++)
            Supersede(older, beat);
        tally.WasSent(beat.Number, out _, out _, out var heldUp);
        tally.See(beat.Number, beat.SentNs, beat.FoundNs);
        delays.Read++;
        Record(beat.IntendedNs, beat.SentNs, heldUp, beat);
        _lastIntendedNs = beat.IntendedNs;
    }

    public void Close()
    {
        // Its writer has ended, and the tally knows it.
    }

    public void FindForeign() => tally.FindForeign();

    // It was not there at the last poll that found an older one. Who found the newer one had no need of it from then.
    private void Supersede(long number, in FoundHeartbeat newer)
    {
        if (!tally.WasSent(number, out var due, out var sent, out var heldUp))
            return;
        if (due != 0)
        {
            Record(due, sent, heldUp, newer);
            return;
        }

        // Between the last that was seen and the oldest whose stamps are known.
        var earliest = _lastIntendedNs != 0 ? _lastIntendedNs : newer.AskedNs;
        Record(earliest, earliest, newer with { AskedNs = newer.AskedNs - (sent - earliest) });
    }

    // Those that would have left before it, but for this process, took as long from when they were due.
    private void Record(long intendedNs, long sentNs, long heldUp, in FoundHeartbeat found)
    {
        Record(intendedNs, sentNs, found);
        for (long before = 1; before <= heldUp; before++)
            Record(intendedNs - (before * intervalNs), intendedNs - (before * intervalNs), found);
    }

    private void Record(long intendedNs, long sentNs, in FoundHeartbeat found)
    {
        var lastMiss = Math.Max(sentNs, found.AskedNs);
        delays.Record(sentNs, intendedNs, lastMiss, found.FoundNs);
        took(lastMiss - sentNs, found.FoundNs - sentNs);
    }
}
