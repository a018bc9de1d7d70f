using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// Heartbeats whose writer is elsewhere: its schedule says which are on their way, the number and intended time of the
/// next what became of those in between. None is kept longer than correcting it takes. Thread safe.
/// </summary>
internal sealed class AnnouncedHeartbeats(DelayTally delays, Action<long, long> found)
    : IAwaitedHeartbeats, IHeartbeatCounter
{
    // Polled for too early a heartbeat costs some polls; too late, the lower end of its delay.
    private const long HeadStartNs = 2_000_000;

    // Heard of no more for so long, the writer may have sent nothing since the last that was seen; for so long, it is
    // gone, or the way to it, and what it would have sent was not.
    private const long DoubtedAfterNs = 1_000_000_000;
    private const long GoneAfterNs = SettledClock.SilenceNs;

    private readonly Lock _gate = new();
    private readonly long _begunNs = MonotonicClock.NowNs();
    private readonly Queue<FoundHeartbeat> _unsettled = new();
    private IWriterTime _clock = null!;
    private CorrectedDelays _corrected = null!;
    private volatile HeartbeatKey _key = null!;
    private long _intervalNs;
    private long _endNs;
    private bool _isFirst = true;
    private long _lastNumber;
    private long _lastIntendedNs;
    private long _sent;
    private long _unsent;
    private long _seen;
    private long _skipped;
    private long _foreign;
    private long _newestSentAtNs;
    private long _newestFoundNs;
    private long _longestAgeNs;
    private long _closedNs = long.MaxValue;

    public HeartbeatKey Key => _key;

    // For how long the writer has answered nothing.
    public Func<long> UnheardNs { get; init; } = () => 0;

    public bool IsWriterGone
    {
        get
        {
            lock (_gate)
                return _endNs == 0 && UnheardNs() > GoneWithinNs();
        }
    }

    public long NegativesBeyondError { get; private set; }

    // Takes the heartbeats of a writer from now on. The first that is seen only shows where it is: when it came is
    // not known.
    public void Follow(Announcement announced, int shard, IWriterTime clock, IWriterTime settled)
    {
        lock (_gate)
        {
            // What the one before would have sent meanwhile was not sent.
            if (_key is not null)
                _unsent += WaitingAt(MonotonicClock.NowNs());
            (_clock, _corrected) = (clock, new CorrectedDelays(settled, delays));
            (_intervalNs, _endNs, _isFirst) = ((long)announced.IntervalNs, 0, true);
            _key = new HeartbeatKey(announced.Shards[shard].Prefix, announced.Session);
        }
    }

    public void EndAt(long endNs)
    {
        lock (_gate)
            _endNs = endNs;
    }

    public long Settle(long untilNs)
    {
        while (TryTake(untilNs, out var beat))
        {
            var negatives = _corrected.NegativesBeyondError;
            for (var place = 1; place <= beat.Skipped; place++)
                Correct(beat.Superseded(place, _intervalNs));
            Correct(beat);
            NegativesBeyondError += _corrected.NegativesBeyondError - negatives;
            delays.Read++;
        }

        return _corrected.TakeErrorNs();
    }

    public bool AreAwaited(out long overdueNs)
    {
        lock (_gate)
        {
            var now = Math.Min(MonotonicClock.NowNs(), _closedNs);
            overdueNs = Math.Max(0, now - DueHere());
            return _closedNs != long.MaxValue ? WaitingAt(now) > 0 : now >= DueHere() - HeadStartNs;
        }
    }

    public void WaitUntilAwaited(TimeSpan limit)
    {
        long due;
        lock (_gate)
            due = DueHere() - HeadStartNs;
        Pacer.WaitUntil(Math.Min(due, MonotonicClock.NowNs() + limit.InNanoseconds));
    }

    public bool IsNew(HeartbeatKey key, long number)
    {
        lock (_gate)
            return key == _key && (_isFirst || number > _lastNumber);
    }

    public void See(HeartbeatKey key, in FoundHeartbeat beat)
    {
        lock (_gate)
        {
            if (key != _key || ToOwn(beat.IntendedNs) > _closedNs)
                return;
            _longestAgeNs = Math.Max(_longestAgeNs, AgeOf(_newestSentAtNs, beat.FoundNs));
            (_newestSentAtNs, _newestFoundNs) = (Math.Min(ToOwn(beat.SentNs), beat.FoundNs), beat.FoundNs);
            if (!_isFirst)
            {
                var numbers = beat.Number - _lastNumber;
                var due = (beat.IntendedNs - _lastIntendedNs + (_intervalNs / 2)) / _intervalNs;
                _sent += numbers;
                _unsent += Math.Max(0, due - numbers);
                _skipped += numbers - 1;
                _seen++;
                _unsettled.Enqueue(beat with { Skipped = numbers - 1, SeenBeforeNs = _lastIntendedNs });
            }

            (_isFirst, _lastNumber, _lastIntendedNs) = (false, beat.Number, beat.IntendedNs);
        }
    }

    public void Close()
    {
        lock (_gate)
            _closedNs = Math.Min(_closedNs, MonotonicClock.NowNs());
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
            var longest = Math.Max(_longestAgeNs, AgeOf(_newestSentAtNs, MonotonicClock.NowNs()));
            _longestAgeNs = 0;
            return longest;
        }
    }

    public HeartbeatCounts Count()
    {
        lock (_gate)
        {
            var now = MonotonicClock.NowNs();
            var due = WaitingAt(Math.Min(now, _closedNs));
            // What was announced as written is on its way, whoever answers.
            var unheard = _endNs == 0 ? UnheardNs() : 0;
            var waiting = unheard > DoubtedAfterNs ? 0 : due;
            return new HeartbeatCounts(
                _sent + waiting,
                _unsent + (unheard > GoneWithinNs() ? due : 0),
                0,
                _seen,
                _skipped,
                waiting,
                _foreign,
                AgeOf(_newestSentAtNs, now),
                // A writer that has ended is not silent.
                AgeOf(_newestFoundNs, _endNs == 0 ? now : Math.Min(now, ToOwn(_endNs))),
                ToOwn(_lastIntendedNs + (waiting * _intervalNs)));
        }
    }

    private void Correct(in FoundHeartbeat beat)
    {
        if (_corrected.Add(new FoundKey(beat.IntendedNs, beat.SentNs, beat.AskedNs, beat.FoundNs))
            is var (least, most))
        {
            found(least, most);
        }
    }

    private bool TryTake(long untilNs, out FoundHeartbeat beat)
    {
        lock (_gate)
            return _unsettled.TryPeek(out beat) && beat.FoundNs <= untilNs && _unsettled.TryDequeue(out beat);
    }

    // At the end nobody will know better.
    private long GoneWithinNs() => _closedNs == long.MaxValue ? GoneAfterNs : DoubtedAfterNs;

    // Before the first one is seen nothing is older than the beginning.
    private long AgeOf(long stampNs, long nowNs) => Math.Max(0, nowNs - (stampNs != 0 ? stampNs : _begunNs));

    private long DueHere() => _isFirst ? _begunNs : ToOwn(_lastIntendedNs + _intervalNs);

    private long WaitingAt(long nowNs)
    {
        if (_isFirst || !_clock.TryConvert(nowNs, out var writer, out _))
            return 0;
        if (_endNs != 0)
            writer = Math.Min(writer, _endNs - 1);
        return Math.Max(0, (writer - _lastIntendedNs) / _intervalNs);
    }

    private long ToOwn(long writerNs)
    {
        var now = MonotonicClock.NowNs();
        return _clock.TryConvert(now, out var writer, out _) ? writerNs - (writer - now) : writerNs;
    }
}
