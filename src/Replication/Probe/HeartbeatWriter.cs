using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatWriter(
    HeartbeatSchedule schedule, HeartbeatTally tally, HeartbeatKey key, TimeSpan expiry, LastingPipeline pipeline,
    SessionEvents events,
    IStopToken end)
    : ProbeWriter(pipeline, key.Session, ProbeValue.Length, expiry, events, end.Cancellation)
{
    private static readonly TimeSpan LastReplyLimit = TimeSpan.FromSeconds(1);

    private readonly byte[] _key = Encoding.ASCII.GetBytes(key.Name);
    private long _next;
    private long _nextReply;
    private volatile bool _isLost;

    // Whether there is no connection now.
    public bool IsLost => _isLost;

    public override void Run()
    {
        Pacer.WakePrecisely();
        while (_next < schedule.Count)
        {
            var due = schedule.DueOf(_next);
            try
            {
                AwaitReplies(due);
                if (!TryWaitUntil(due))
                    break;
                if (TakeMoved() is { } moved)
                    Recover(moved);
                else
                    Send();
            }
            catch (RedisException loss) when (loss is not RedisServerException)
            {
                Recover(loss);
            }
        }

        TakeLastReplies();
    }

    protected override void Answer(bool isRefused)
    {
        if (isRefused)
            tally.Refuse(_nextReply);
        _nextReply++;
    }

    private void Send()
    {
        // Of several that are due at once only the last one would be seen.
        var newest = Math.Max(_next, schedule.DueBy(MonotonicClock.NowNs()) - 1);
        var due = schedule.DueOf(newest);
        var sent = MonotonicClock.NowNs();
        // It has its number: what became of it shows at the destination, also where the connection is lost now.
        var number = tally.Send(due, sent, newest - _next);
        for (var older = _next; older < newest; older++)
            Lateness.Record(sent - schedule.DueOf(older));
        _next = newest + 1;
        Send(_key, number, due, sent);
    }

    // Replies that come before the next heartbeat show early what was refused.
    private void AwaitReplies(long until)
    {
        while (Pipeline.Current.Outstanding > 0 && !IsEnding)
        {
            var isDue = MonotonicClock.NowNs() >= until;
            TakeReplies(until);
            if (isDue)
                return;
        }
    }

    private void Recover(RedisException loss)
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
        _nextReply = tally.Count().Sent;
        TakeMoved();
    }

    private void TakeLastReplies()
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
