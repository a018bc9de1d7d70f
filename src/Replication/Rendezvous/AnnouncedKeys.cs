using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Peers.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>The keys of a writer elsewhere: its schedule says when to begin to poll for each.</summary>
internal sealed class AnnouncedKeys : IShardProbes, IKeyRegister
{
    // Polled for too early a key costs one poll; too late, the lower end of its delay.
    private const long HeadStartNs = 2_000_000;

    private readonly WriterAnnouncement _announced;
    private readonly int _shard;
    private readonly WriterClock _clock;
    private readonly IStopToken _ending;
    private readonly CorrectedDelays _provisional;
    private readonly List<FoundKey> _found = [];
    private readonly long _first;
    private long _next;
    private volatile WriterReport? _end;

    public AnnouncedKeys(
        WriterAnnouncement announced, int shard, WriterClock clock, DelayOptions options, IStopToken ending)
    {
        (_announced, _shard, _clock, _ending) = (announced, shard, clock, ending);
        Tally = new() { DeadlineNs = options.Deadline.InNanoseconds };
        Delays = new CorrectedDelays(clock, Tally);
        _provisional = new CorrectedDelays(clock.Now, Provisional);
        var since = MonotonicClock.NowNs() + clock.ProvisionalNs - announced.StartNs;
        var due = Math.Clamp((long)Math.Ceiling(since / announced.IntervalNs), 0, announced.Keys);
        Late = Below(due, shard, Step);
        _next = _first = shard + (Late * Step);
    }

    public string? Shard => _announced.Shards[_shard].Slots;

    public string Source => _announced.Shards[_shard].Source;

    public bool AreWrittenElsewhere => true;

    public DelayTally Tally { get; }
    public CorrectedDelays Delays { get; }

    public long? MissingAtSource => null;

    public long? MissingUnconfirmed => null;

    public long Late { get; }

    // By the clock as it is known when a key is found: for the live view.
    public DelayTally Provisional { get; } = new();

    public long FirstDueNs => _announced.DueOf(_first);

    public bool HasEnded => _ending.IsRequested || _next >= _announced.Keys || IsExhausted(_end);

    public IReadOnlyList<FoundKey> Read => _found;

    // Keys that were due, as far as is known: those that were polled for and not said never to have been.
    private long Asked
    {
        get
        {
            if (_end is not { } end)
                return (_next - _first) / Step;
            return Enumerable.Range(0, end.Writers.Count).Where(writer => writer % Step == _shard).Sum(
                writer => Math.Max(
                    0,
                    Math.Min(Below(_next, writer, end.Writers.Count), end.Writers[writer].Asked)
                        - Below(_first, writer, end.Writers.Count)));
        }
    }

    public DelayCounts Counts
    {
        get
        {
            var asked = Asked;
            List<WrittenKeys> written = [.. _end?.Of(_shard, Step) ?? []];
            var unsent = written.Sum(writer => writer.Unsent);
            var refused = written.Sum(writer => writer.Refused);
            // A key that was never sent was polled for in vain until its writer reported it, or its deadline had
            // passed.
            var dropped = asked - Tally.Read - Tally.Overwritten - Tally.MissingCount;
            var neverSent = Math.Min(unsent + refused, dropped + Tally.MissingCount);
            unsent = Math.Min(unsent, neverSent);
            var unread = Math.Max(0, dropped - neverSent);
            return new DelayCounts
            {
                Asked = asked,
                Unsent = unsent,
                Refused = neverSent - unsent,
                Read = Tally.Read,
                Overwritten = Tally.Overwritten,
                Missing = dropped + Tally.MissingCount - neverSent - unread,
            };
        }
    }

    public WriterReport? End
    {
        get => _end;
        set => _end = value;
    }

    private int Step => _announced.Shards.Count;

    public ProbeReader NewReader(
        ReconnectingPipeline pipeline, DelayOptions options, SessionEvents events, ReplicaGuard? guard) =>
        new KeyReader(
            this, _announced.Session, _announced.Shards[_shard].Prefix, options, pipeline, events,
            _announced.IntervalNs * Step, guard);

    public bool TryAdmit(out PendingKey key)
    {
        key = default;
        while (!HasEnded)
        {
            var due = _announced.DueOf(_next) - _clock.ProvisionalNs;
            if (due - HeadStartNs > MonotonicClock.NowNs())
                return false;
            var sequence = _next;
            _next += Step;
            if (IsWithdrawn(sequence))
                continue;
            key = new PendingKey(sequence, due, 0);
            return true;
        }

        return false;
    }

    public bool IsWithdrawn(long sequence) => _end?.IsWithdrawn(sequence) == true;

    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        Tally.Read++;
        var found = new FoundKey(intendedNs, sentNs, key.LastMissNs, foundNs);
        _found.Add(found);
        _provisional.Add(found);
    }

    public void Overwritten(in PendingKey key, long foundNs) => Tally.Overwritten++;

    public void Missing(in PendingKey key, long askedNs) => Tally.Miss(key.Sequence);

    // How many of a turn's keys have a number below.
    private static long Below(long sequence, int first, int step) =>
        sequence <= first ? 0 : (sequence - first + step - 1) / step;

    // A writer that stopped has no more keys for any of this shard's turns.
    private bool IsExhausted(WriterReport? end)
    {
        if (end is null)
            return false;
        for (var writer = _shard; writer < end.Writers.Count; writer += Step)
        {
            if (Below(_next, writer, end.Writers.Count) < end.Writers[writer].Asked)
                return false;
        }

        return true;
    }
}

/// <summary>When a key was due, sent, last polled for in vain, and found.</summary>
internal readonly record struct FoundKey(long IntendedNs, long SentNs, long LastMissNs, long FoundNs);

/// <summary>Delays between stamps of two clocks, corrected by the offset of the moment of the reading.</summary>
internal sealed class CorrectedDelays(IPeerTime clock, DelayTally tally)
{
    private long _recentErrorNs;

    // How late the writer was, by its own stamps.
    public LatencyRecorder Lateness { get; } = new();
    public long ErrorNs { get; private set; }
    public long NegativesBeyondError { get; private set; }
    public long LastSentNs { get; private set; }
    public long Uncorrected { get; private set; }

    public long TakeErrorNs()
    {
        var worst = _recentErrorNs;
        _recentErrorNs = 0;
        return worst;
    }

    public (long LeastNs, long MostNs)? Add(in FoundKey key)
    {
        LastSentNs = Math.Max(LastSentNs, key.SentNs);
        if (!clock.TryConvert(key.FoundNs, out var found, out var error))
        {
            Uncorrected++;
            return null;
        }

        ErrorNs = Math.Max(ErrorNs, error);
        _recentErrorNs = Math.Max(_recentErrorNs, error);
        if (found - key.SentNs < -error)
            NegativesBeyondError++;

        // It cannot have been there before it was sent: that is its least delay where no poll was made in between.
        var lastMiss = key.LastMissNs != 0 && clock.TryConvert(key.LastMissNs, out var converted, out _)
            ? Math.Max(converted, key.SentNs)
            : key.SentNs;
        lastMiss = Math.Min(lastMiss, found);
        tally.Record(key.SentNs, key.IntendedNs, lastMiss, found);
        Lateness.Record(key.SentNs - key.IntendedNs);
        return (lastMiss - key.SentNs, found - key.SentNs);
    }
}
