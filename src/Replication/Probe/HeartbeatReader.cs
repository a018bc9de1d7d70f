using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>Polls a way's key; when a heartbeat came is known as an interval, as in DelaySeries.</summary>
internal sealed class HeartbeatReader(
    IAwaitedHeartbeats beats, DelayPlan plan, LastingPipeline pipeline, SessionEvents events,
    ReplicaGuard? guard = null)
{
    private const long Patience = 100;
    private const long LongestPauseNs = 100_000_000;

    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly DestinationPoll _poll = new(pipeline, plan.Options.ReconnectTimeout, events);
    private readonly long _pollIntervalNs = plan.Options.PollInterval.InNanoseconds;
    private HeartbeatKey? _olderAskedFor;
    private long _olderAskedNs;
    private bool _isForeign;
    private volatile bool _isLost;

    public long Polls => _poll.Count;

    public bool IsLost => _isLost;

    public void Finish(long untilNs)
    {
        beats.Close();
        _poll.Finish(untilNs);
    }

    public void Run()
    {
        Pacer.WakePrecisely();
        while (true)
        {
            var until = _poll.UntilNs;
            var areAwaited = beats.AreAwaited(out var overdue);
            var began = MonotonicClock.NowNs();
            if (until < began || (until != long.MaxValue && !areAwaited))
                return;
            try
            {
                if (pipeline.IsElsewhere)
                {
                    if (!Reconnect(null))
                        return;
                }
                else if (!areAwaited)
                {
                    beats.WaitUntilAwaited(Nap);
                    continue;
                }
                else
                {
                    Poll();
                }
            }
            catch (RedisServerException refusal) when (refusal.Code != "MOVED")
            {
                _poll.WaitAfter(refusal);
            }
            catch (RedisException loss)
            {
                if (!Reconnect(loss))
                    return;
            }

            Pacer.WaitUntil(began + Math.Max(_pollIntervalNs, Math.Min(overdue / Patience, LongestPauseNs)));
        }
    }

    private bool Reconnect(RedisException? loss)
    {
        var before = pipeline.Target;
        _isLost = true;
        if (!pipeline.TryRestore(loss))
            return false;
        _isLost = false;
        // What one server had not is no bound for another.
        if (before != pipeline.Target)
            _olderAskedNs = 0;
        return true;
    }

    private void Poll()
    {
        var key = beats.Key;
        // What another key had not is no bound for this one.
        if (key != _olderAskedFor)
            (_olderAskedFor, _olderAskedNs) = (key, 0);
        if (!_poll.TryAsk(key.Request, out var reply))
        {
            _isLost = _poll.WasSlow && !pipeline.IsElsewhere;
            return;
        }

        if (!reply.IsNull)
            Judge(key, reply.Content, _poll.AnsweredNs);
        _olderAskedNs = _poll.AskedNs;
    }

    private void Judge(HeartbeatKey key, ReadOnlySpan<byte> value, long answered)
    {
        var isOurs = ProbeValue.TryRead(value, out var session, out var number, out var intended, out var sent)
            && session == key.Session;
        if (!isOurs)
        {
            if (!_isForeign)
            {
                beats.FindForeign();
                events.Note("overwritten", $"{pipeline.Label}: another client wrote to the key of the heartbeats");
            }

            _isForeign = true;
            return;
        }

        _isForeign = false;
        if (!beats.IsNew(key, number))
            return;
        guard?.RequireReplica();
        beats.See(key, new FoundHeartbeat(number, intended, sent, _olderAskedNs, answered));
    }
}

/// <summary>What the reader of a way knows of the heartbeats to come, and takes those that came.</summary>
internal interface IAwaitedHeartbeats
{
    HeartbeatKey Key { get; }
    bool AreAwaited(out long overdueNs);
    void WaitUntilAwaited(TimeSpan limit);
    bool IsNew(HeartbeatKey key, long number);
    void See(HeartbeatKey key, in FoundHeartbeat beat);
    void Close();
    void FindForeign();
}

internal readonly record struct FoundHeartbeat(long Number, long IntendedNs, long SentNs, long AskedNs, long FoundNs)
{
    public long Skipped { get; init; }
    public long SeenBeforeNs { get; init; }

    // One of those, from 1 for the oldest: not there at the last poll that found an older one, and no longer needed
    // when this one was found. When it was due is known by the schedule, but for those that were not sent; it left
    // before the next was due.
    public FoundHeartbeat Superseded(long place, long intervalNs)
    {
        var earliest = SeenBeforeNs + (place * intervalNs);
        var latest = IntendedNs - ((Skipped - place) * intervalNs);
        return new FoundHeartbeat(
            Number - Skipped + place - 1, earliest, earliest, AskedNs == 0 ? 0 : AskedNs - (latest - earliest),
            FoundNs);
    }
}
