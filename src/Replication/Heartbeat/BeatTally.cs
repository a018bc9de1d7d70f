using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>
/// What became of the heartbeats of one way, as its writer and its reader tell. Nothing is kept of any heartbeat for
/// longer than it takes: it may go on for good. Thread safe.
/// </summary>
/// <param name="schedule">When they are due.</param>
/// <param name="isReadHere">Whether they are read in this process: only then it is known how old the newest is.</param>
internal sealed class BeatTally(BeatSchedule schedule, bool isReadHere = true) : IBeatCounter, IDisposable
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

    /// <summary>The number of the newest heartbeat that was seen; -1 before the first.</summary>
    public long LastSeen
    {
        get
        {
            lock (_gate)
                return _lastSeen;
        }
    }

    /// <summary>A heartbeat is sent, now.</summary>
    /// <param name="dueNs">When it was due.</param>
    /// <param name="sentNs">When it is sent.</param>
    /// <param name="heldUp">How many before it were due meanwhile, and are not sent.</param>
    /// <returns>Its number among those that are sent.</returns>
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

    /// <summary>When a heartbeat was sent; of one that is too old to be known, when the oldest that is was.</summary>
    /// <param name="number">As <see cref="Send"/> numbered it.</param>
    /// <param name="dueNs">When it was due; zero where that is not known any more.</param>
    /// <param name="sentNs">When it was sent.</param>
    /// <param name="heldUp">How many that were due before it were not sent, because this process was held up.</param>
    /// <returns>False where the source refused it.</returns>
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

    /// <summary>Waits until one is sent.</summary>
    public void WaitUntilSent(TimeSpan limit) => _isSent.WaitOne(limit);

    /// <summary>There is no connection any more: what is due from this heartbeat on is not sent.</summary>
    public void BeginOutage(long beat)
    {
        lock (_gate)
            _outageFrom = beat;
    }

    /// <summary>There is one again.</summary>
    /// <returns>The next heartbeat that is to be sent.</returns>
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

    /// <summary>The source answered one with an error.</summary>
    /// <param name="number">As <see cref="Send"/> numbered it.</param>
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

    /// <summary>One was found that had not been seen.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="sentNs">When it was sent.</param>
    /// <param name="foundNs">When the answer came that held it.</param>
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

    /// <summary>Somebody else's value was found.</summary>
    public void FindForeign()
    {
        lock (_gate)
            _foreign++;
    }

    /// <inheritdoc/>
    public long TakeLongestAge()
    {
        lock (_gate)
        {
            var longest = Math.Max(_longestAgeNs, AgeOf(_lastSeenSentNs, MonotonicClock.NowNs()));
            _longestAgeNs = 0;
            return longest;
        }
    }

    /// <inheritdoc/>
    public BeatCounts Look()
    {
        lock (_gate)
        {
            var now = MonotonicClock.NowNs();
            var due = _outageFrom < 0 ? 0 : Math.Max(0, schedule.DueBy(now) - _outageFrom);
            return new BeatCounts(
                _sent,
                _unsent + due,
                _refused,
                _seen,
                _skipped,
                _sent - _refused - _seen - _skipped,
                _foreign,
                AgeOf(_lastSeenSentNs, now),
                AgeOf(_lastSeenAtNs, now),
                _newestSentNs)
            {
                HeldUp = _heldUp,
            };
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _isSent.Dispose();

    // Before the first one is seen nothing is older than the beginning.
    private long AgeOf(long stampNs, long nowNs)
    {
        var from = stampNs != 0 ? stampNs : schedule.StartNs;
        return from == 0 || !isReadHere ? 0 : Math.Max(0, nowNs - from);
    }
}
