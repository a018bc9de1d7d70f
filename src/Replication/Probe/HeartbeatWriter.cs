using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatWriter(
    HeartbeatSession session, HeartbeatTally tally, ReconnectingPipeline pipeline)
    : ProbeWriter(pipeline, session, ProbeValue.Length)
{
    private static readonly TimeSpan LastReplyLimit = TimeSpan.FromSeconds(1);

    private readonly ProbeSchedule _schedule = session.Schedule;
    private readonly byte[] _key = tally.Key.NameBytes;
    private long _next;
    private long _nextReply;
    private volatile bool _isLost;

    public override bool IsLost => _isLost || Pipeline.IsInDoubt;

    protected override long? NextDueNs => _next < _schedule.Count ? _schedule.DueOf(_next) : null;

    // Replies that come before the next heartbeat show early what was refused.
    protected override bool TryAwait(long due)
    {
        while (Pipeline.Current.Outstanding > 0 && !IsEnding)
        {
            var isDue = MonotonicClock.NowNs() >= due;
            TakeReplies(due);
            if (isDue)
                break;
        }

        if (!TryWaitFor(due))
            return false;
        Pacer.SpinUntil(due);
        return true;
    }

    protected override void Answer(bool isRefused)
    {
        if (isRefused)
            tally.Refuse(_nextReply);
        _nextReply++;
    }

    // Of several that are due at once only the last one would be seen.
    protected override void Send(long due)
    {
        var newest = Math.Max(_next, _schedule.DueBy(MonotonicClock.NowNs()) - 1);
        due = _schedule.DueOf(newest);
        var sent = MonotonicClock.NowNs();
        // It has its number: what became of it shows at the destination, also where the connection is lost now.
        var number = tally.Send(due, sent, newest - _next);
        for (var older = _next; older < newest; older++)
            Lateness.Record(sent - _schedule.DueOf(older));
        _next = newest + 1;
        Send(_key, number, due, sent);
    }

    protected override void Follow(RedisServerException moved) => Recover(moved);

    protected override void Recover(RedisException loss)
    {
        tally.BeginOutage(_next);
        _isLost = true;
        try
        {
            _isLost = !Pipeline.TryRestore(loss);
        }
        finally
        {
            _next = tally.EndOutage();
        }

        // Answers to what went before are lost with their connection.
        _nextReply = tally.Counts.Sent;
        TakeMoved();
    }

    protected override void TakeLastReplies()
    {
        if (_isLost)
            return;
        var until = MonotonicClock.NowNs() + LastReplyLimit.InNanoseconds;
        try
        {
            while (Pipeline.Current.Outstanding > 0 && MonotonicClock.NowNs() < until)
                TakeReplies(until);
            if (Pipeline.Current.Outstanding > 0)
                throw new RedisTimeoutException("no reply to the last heartbeats");
        }
        catch (RedisException loss)
        {
            // Who is there again has what became of them.
            _isLost = true;
            _isLost = !Pipeline.TryRestore(loss);
        }
    }
}
