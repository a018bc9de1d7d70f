using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Clocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>
/// Heartbeats whose writer is elsewhere: its schedule says which are on their way, the number and intended time of the
/// next what became of those in between. None is kept longer than correcting it takes. Thread safe.
/// </summary>
internal sealed class AnnouncedHeartbeats(Action<long, long> found) : Heartbeats
{
    // Polled for too early a heartbeat costs some polls; too late, the lower end of its delay.
    private const long HeadStartNs = 2_000_000;

    // Heard of no more for so long, the writer may have sent nothing since the last that was seen; for so long, it is
    // gone, or the way to it, and what it would have sent was not.
    private const long DoubtedAfterNs = 1_000_000_000;
    private const long GoneAfterNs = WriterClock.SilenceNs;

    private const long AlwaysDue = 1_000;

    private readonly long _begunNs = MonotonicClock.NowNs();
    private readonly Queue<FoundHeartbeat> _unsettled = new();
    private IPeerTime _clock = null!;
    private CorrectedDelays _corrected = null!;
    private volatile HeartbeatKey _key = null!;
    private AnnouncedShard _shard = null!;
    private long _intervalNs;
    private long _endNs;
    private bool _isFirst = true;
    private long _lastNumber;
    private long _lastIntendedNs;
    private long _closedNs = long.MaxValue;

    public override string? Shard => _shard.Slots;

    public override string Source => _shard.Source;

    public override bool AreWrittenElsewhere => true;

    public override HeartbeatKey Key => _key;

    public override DelayCounts Counts
    {
        get
        {
            lock (Gate)
            {
                var now = MonotonicClock.NowNs();
                var due = WaitingAt(Math.Min(now, _closedNs));
                // What was announced as written is on its way, whoever answers.
                var unheard = _endNs == 0 ? UnheardNs() : 0;
                var waiting = unheard > DoubtedAfterNs ? 0 : due;
                var unsent = Unsent + (unheard > GoneWithinNs() ? due : 0);
                // A writer that has ended is not silent.
                var silence = SilenceAt(_endNs == 0 ? now : Math.Min(now, ToOwn(_endNs)));
                return new DelayCounts
                {
                    Asked = Sent + waiting + unsent,
                    Unsent = unsent,
                    Read = Read,
                    Skipped = Skipped,
                    Foreign = Foreign,
                    AgeNs = AgeAt(now),
                    SilenceNs = silence,
                    NewestSentNs = ToOwn(_lastIntendedNs + (waiting * _intervalNs)),
                };
            }
        }
    }

    protected override long BegunNs => _begunNs;

    // For how long the writer has answered nothing.
    public Func<long> UnheardNs { get; init; } = () => 0;

    public bool IsWriterGone
    {
        get
        {
            lock (Gate)
                return _endNs == 0 && UnheardNs() > GoneWithinNs();
        }
    }

    public long NegativesBeyondError { get; private set; }

    // Takes the heartbeats of a writer from now on. The first that is seen only shows where it is: when it came is
    // not known.
    public void Follow(WriterAnnouncement announced, int shard, IPeerTime clock, IPeerTime settled)
    {
        lock (Gate)
        {
            // What the one before would have sent meanwhile was not sent.
            if (_key is not null)
                Unsent += WaitingAt(MonotonicClock.NowNs());
            (_clock, _corrected) = (clock, new CorrectedDelays(settled, Tally));
            (_intervalNs, _endNs, _isFirst) = ((long)announced.IntervalNs, 0, true);
            _shard = announced.Shards[shard];
            _key = new HeartbeatKey(_shard.Prefix, announced.Session);
        }
    }

    public void EndAt(long endNs)
    {
        lock (Gate)
            _endNs = endNs;
    }

    public long Settle(long untilNs)
    {
        while (TryTake(untilNs, out var beat))
        {
            var negatives = _corrected.NegativesBeyondError;
            for (var ordinal = 1L; ordinal <= beat.Skipped; ordinal++)
                Correct(beat.Superseded(ordinal, _intervalNs));
            Correct(beat);
            NegativesBeyondError += _corrected.NegativesBeyondError - negatives;
            Tally.Read++;
        }

        return _corrected.TakeErrorNs();
    }

    public override bool AreAwaited(out long overdueNs)
    {
        lock (Gate)
        {
            var now = Math.Min(MonotonicClock.NowNs(), _closedNs);
            overdueNs = Math.Max(0, now - DueHere());
            return _closedNs != long.MaxValue ? WaitingAt(now) > 0 : now >= DueHere() - HeadStartNs;
        }
    }

    public override void WaitUntilAwaited(TimeSpan limit)
    {
        long due;
        lock (Gate)
            due = DueHere() - HeadStartNs;
        Pacer.WaitUntil(Math.Min(due, MonotonicClock.NowNs() + limit.InNanoseconds));
    }

    public override bool IsNew(HeartbeatKey key, long number)
    {
        lock (Gate)
            return key == _key && (_isFirst || (number > _lastNumber && number - _lastNumber <= MostDue()));
    }

    public override void See(HeartbeatKey key, in FoundHeartbeat beat)
    {
        lock (Gate)
        {
            if (key != _key || ToOwn(beat.IntendedNs) > _closedNs)
                return;
            NoteAge(Math.Min(ToOwn(beat.SentNs), beat.FoundNs), beat.FoundNs);
            if (!_isFirst)
            {
                var numbers = beat.Number - _lastNumber;
                var due = (beat.IntendedNs - _lastIntendedNs + (_intervalNs / 2)) / _intervalNs;
                Sent += numbers;
                Unsent += Math.Max(0, due - numbers);
                Skipped += numbers - 1;
                Read++;
                _unsettled.Enqueue(beat with { Skipped = numbers - 1, SeenBeforeNs = _lastIntendedNs });
            }

            (_isFirst, _lastNumber, _lastIntendedNs) = (false, beat.Number, beat.IntendedNs);
        }
    }

    public override void Close()
    {
        lock (Gate)
            _closedNs = Math.Min(_closedNs, MonotonicClock.NowNs());
    }

    private void Correct(in FoundHeartbeat beat)
    {
        var key = new FoundKey(beat.IntendedNs, beat.SentNs, beat.AskedNs, beat.FoundNs);
        if (_corrected.Add(key) is var (least, most))
            found(least, most);
    }

    private bool TryTake(long untilNs, out FoundHeartbeat beat)
    {
        lock (Gate)
            return _unsettled.TryPeek(out beat) && beat.FoundNs <= untilNs && _unsettled.TryDequeue(out beat);
    }

    // At the end nobody will know better.
    private long GoneWithinNs() => _closedNs == long.MaxValue ? GoneAfterNs : DoubtedAfterNs;

    // A number further on is nobody's heartbeat. Twice what was due since the last one: clocks may differ.
    private long MostDue() =>
        AlwaysDue + (2 * Math.Max(0, MonotonicClock.NowNs() - ToOwn(_lastIntendedNs)) / _intervalNs);

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
