using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// The heartbeats of a shard that are written here. Settled ones are forgotten: it may last for good. Thread safe; one
/// thread reads.
/// </summary>
internal sealed class HeartbeatTally(
    ProbeSchedule schedule, KeyStream stream, ulong session, Action<long, long> took)
    : Heartbeats, IDisposable
{
    // More spells of refusals than that, none of which a seen heartbeat came after, become one.
    private const int MostSpells = 64;

    // Their stamps are kept, so that those that are overwritten before they are seen have a delay.
    private const int MostKept = 4096;
    private const long Refused = -1;

    private readonly AutoResetEvent _isSent = new(initialState: false);
    private readonly (long DueNs, long SentNs, long HeldUp)[] _stamps = new (long, long, long)[MostKept];
    private readonly LinkedList<(long Last, long Count)> _refusedAhead = new();
    private long _heldUp;
    private long _refused;
    private long _outageFrom = -1;
    private long _newestSentNs;
    private long _lastSeen = -1;
    private long _lastIntendedNs;

    public bool IsReadHere { get; set; }

    public override string? Shard => stream.Shard;

    public override string Source => stream.Source.LastName;

    public override bool AreWrittenElsewhere => false;

    public override HeartbeatKey Key { get; } = new(stream.Prefix, session);

    public override DelayCounts Counts
    {
        get
        {
            lock (Gate)
            {
                var now = MonotonicClock.NowNs();
                var unsent = Unsent + (_outageFrom < 0 ? 0 : Math.Max(0, schedule.DueBy(now) - _outageFrom));
                return new DelayCounts
                {
                    Asked = Sent + unsent,
                    Unsent = unsent,
                    Refused = _refused,
                    Read = Read,
                    Skipped = Skipped,
                    HeldUp = _heldUp,
                    Foreign = Foreign,
                    AgeNs = AgeAt(now),
                    SilenceNs = SilenceAt(now),
                    NewestSentNs = _newestSentNs,
                };
            }
        }
    }

    protected override long BegunNs => IsReadHere ? schedule.StartNs : 0;

    public long Send(long dueNs, long sentNs, long heldUp = 0)
    {
        lock (Gate)
        {
            _newestSentNs = sentNs;
            _stamps[Sent % MostKept] = (dueNs, sentNs, heldUp);
            Unsent += heldUp;
            _heldUp += heldUp;
            _isSent.Set();
            return Sent++;
        }
    }

    public void BeginOutage(long beat)
    {
        lock (Gate)
            _outageFrom = beat;
    }

    public long EndOutage()
    {
        lock (Gate)
        {
            var next = Math.Max(_outageFrom, schedule.DueBy(MonotonicClock.NowNs()));
            Unsent += next - _outageFrom;
            _outageFrom = -1;
            return next;
        }
    }

    public void Refuse(long number)
    {
        lock (Gate)
        {
            // It was seen before this answer came, or a later one: it counts as seen or skipped already.
            if (number <= _lastSeen)
                return;
            _refused++;
            _stamps[number % MostKept].SentNs = Refused;
            if (_refusedAhead.Last is { } last && (last.Value.Last == number - 1 || _refusedAhead.Count == MostSpells))
                last.Value = (number, last.Value.Count + 1);
            else
                _refusedAhead.AddLast((number, 1));
        }
    }

    public override bool AreAwaited(out long overdueNs)
    {
        var counts = Counts;
        overdueNs = Math.Max(0, counts.AgeNs - (long)schedule.IntervalNs);
        return counts.Waiting > 0;
    }

    public override void WaitUntilAwaited(TimeSpan limit) => _isSent.WaitOne(limit);

    public override bool IsNew(HeartbeatKey key, long number) => number > _lastSeen;

    public override void See(HeartbeatKey key, in FoundHeartbeat beat)
    {
        for (var older = _lastSeen + 1; older < beat.Number; older++)
            Supersede(older, beat);
        WasSent(beat.Number, out _, out _, out var heldUp);
        Count(beat);
        Tally.Read++;
        Record(beat.IntendedNs, beat.SentNs, heldUp, beat);
        _lastIntendedNs = beat.IntendedNs;
    }

    public void Dispose() => _isSent.Dispose();

    private void Count(in FoundHeartbeat beat)
    {
        lock (Gate)
        {
            long refused = 0;
            while (_refusedAhead.First is { } spell && spell.Value.Last < beat.Number)
            {
                refused += spell.Value.Count;
                _refusedAhead.RemoveFirst();
            }

            Read++;
            NoteAge(beat.SentNs, beat.FoundNs);
            Skipped += Math.Max(0, beat.Number - _lastSeen - 1 - refused);
            _lastSeen = beat.Number;
        }
    }

    private bool WasSent(long number, out long dueNs, out long sentNs, out long heldUp)
    {
        lock (Gate)
        {
            var oldest = Math.Max(0, Sent - MostKept);
            (dueNs, sentNs, heldUp) = _stamps[Math.Max(number, oldest) % MostKept];
            if (number < oldest)
                (dueNs, sentNs, heldUp) = (0, sentNs == Refused ? _newestSentNs : sentNs, 0);
            return sentNs != Refused;
        }
    }

    // It was not there at the last poll that found an older one. Who found the newer one had no need of it from then.
    private void Supersede(long number, in FoundHeartbeat newer)
    {
        if (!WasSent(number, out var due, out var sent, out var heldUp))
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
        {
            var due = intendedNs - (long)(before * schedule.IntervalNs);
            Record(due, due, found);
        }
    }

    private void Record(long intendedNs, long sentNs, in FoundHeartbeat found)
    {
        var lastMiss = Math.Max(sentNs, found.AskedNs);
        Tally.Record(sentNs, intendedNs, lastMiss, found.FoundNs);
        took(lastMiss - sentNs, found.FoundNs - sentNs);
    }
}
