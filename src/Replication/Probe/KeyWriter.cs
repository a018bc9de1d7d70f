using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

internal sealed class KeyWriter(KeySession session, ReconnectingPipeline pipeline, string prefix, int index)
    : ProbeWriter(pipeline, session, session.Options.ValueSize)
{
    private readonly KeyNames _key = new(prefix, session.Id);
    private long _nextReply = index;
    private long _next = index;

    public long LastLatenessNs { get; private set; }
    public long Asked { get; private set; }
    public long Unsent { get; private set; }
    public long Refused { get; private set; }

    // The source says so, and executed it all the same.
    public long RefusedYetRead { get; private set; }

    // Of what was read nothing is known here. Allocates nothing.
    public DelayCounts Counts => new()
    {
        Asked = Asked,
        Unsent = Unsent,
        Refused = Refused,
        Unanswered = Unanswered,
    };

    // Keys whose replies were lost with their connection.
    public long Unanswered { get; private set; }

    // From when a key was due until its write was answered; and after the schedule's end, of those answered then.
    public LatencyHistogram Answered { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram AfterEnd { get; } = LatencyHistogram.ForLatency();

    protected override long? NextDueNs => _next < session.Ledger.Keys ? session.Schedule.DueOf(_next) : null;

    // Counts keys that were due until then, and will not be sent, as unsent; after the writer has ended.
    public void OmitUntil(long nowNs)
    {
        for (; _next < session.Ledger.Keys && session.Schedule.DueOf(_next) <= nowNs; _next += session.Writers.Count)
        {
            session.Ledger.Note(_next, KeyLedger.Unsent);
            Asked++;
            Unsent++;
        }
    }

    protected override void Answer(bool isRefused)
    {
        if (isRefused && session.Ledger.NoteRefused(_nextReply))
            Refused++;
        else if (isRefused)
            RefusedYetRead++;
        else
            NoteAnswer(MonotonicClock.NowNs());
        _nextReply += session.Writers.Count;
    }

    protected override bool TryAwait(long due)
    {
        if (!TryWaitFor(due))
            return false;
        TakeReplies(0);
        Pacer.SpinUntil(due);
        return true;
    }

    protected override void Send(long due)
    {
        var (sequence, sent) = (_next, MonotonicClock.NowNs());
        session.Ledger.Note(sequence, sent);
        _next += session.Writers.Count;
        Asked++;
        LastLatenessNs = sent - due;
        Send(_key.Of(sequence), sequence, due, sent);
    }

    // What was sent here has its answers, then it goes on there.
    protected override void Follow(RedisServerException moved)
    {
        AwaitReplies();
        TakeMoved();
        Recover(moved);
    }

    protected override void Recover(RedisException loss)
    {
        Restore(loss);
        // Whatever became due meanwhile has no intended time to keep any more.
        OmitUntil(MonotonicClock.NowNs());
        _nextReply = _next;
    }

    protected override void TakeLastReplies()
    {
        try
        {
            AwaitReplies();
        }
        catch (RedisException loss)
        {
            // Who does not answer at the end either is lost; who is there again has what became of its keys.
            Restore(loss);
        }
    }

    private void NoteAnswer(long now)
    {
        Answered.Record(now - session.Schedule.DueOf(_nextReply));
        // The last key has its share of the time as well.
        if (EndedNs is { } ended && now - Math.Max(ended, session.Schedule.DueOf(_next)) is > 0 and var after)
            AfterEnd.Record(after);
    }

    private void Restore(RedisException loss)
    {
        for (; _nextReply < _next; _nextReply += session.Writers.Count)
        {
            session.Ledger.NoteUnanswered(_nextReply);
            Unanswered++;
        }

        if (Pipeline.TryRestore(loss))
            return;
        OmitUntil(MonotonicClock.NowNs());
        throw new TargetLostException($"{Pipeline.Label} was lost while the run was stopped.", loss);
    }

    private void AwaitReplies()
    {
        while (Pipeline.Current.Outstanding > 0)
            TakeReplies(long.MaxValue);
    }
}
