using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>Looks at a way's key; when a heartbeat came is known as an interval, as in DelaySeries.</summary>
internal sealed class HeartbeatReader
{
    private const long SliceNs = 50_000_000;

    private const long SlowAnswerNs = 500_000_000;

    private const long Patience = 100;

    private const long LongestPauseNs = 100_000_000;

    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly IAwaitedHeartbeats _beats;
    private readonly LastingPipeline _pipeline;
    private readonly ReplicaGuard? _guard;
    private readonly RefusalPatience _patience;
    private readonly SessionEvents _events;
    private readonly long _pollIntervalNs;
    private long _readUntilNs = long.MaxValue;
    private HeartbeatKey? _olderAskedFor;
    private long _olderAskedNs;
    private bool _isForeign;
    private volatile bool _isLost;

    public HeartbeatReader(
        IAwaitedHeartbeats beats, DelayPlan plan, LastingPipeline pipeline, SessionEvents events,
        ReplicaGuard? guard = null)
    {
        (_beats, _pipeline, _events, _guard) = (beats, pipeline, events, guard);
        _patience = new RefusalPatience(pipeline.Label, plan.Options.ReconnectTimeout, events);
        _pollIntervalNs = plan.Options.PollInterval.InNanoseconds;
    }

    public long Looks { get; private set; }

    public bool IsLost => _isLost;

    public void Finish(long untilNs)
    {
        _beats.Close();
        Volatile.Write(ref _readUntilNs, untilNs);
    }

    public void Run()
    {
        TimedWait.WakePrecisely();
        while (true)
        {
            var until = Volatile.Read(ref _readUntilNs);
            var areAwaited = _beats.AreAwaited(out var overdue);
            var began = MonotonicClock.NowNs();
            if (until < began || (until != long.MaxValue && !areAwaited))
                return;
            try
            {
                if (_pipeline.IsElsewhere)
                {
                    if (!Reconnect(null))
                        return;
                }
                else if (!areAwaited)
                {
                    _beats.WaitUntilAwaited(Nap);
                    continue;
                }
                else
                {
                    Look(began);
                }
            }
            catch (RedisServerException refusal) when (refusal.Code != "MOVED")
            {
                _patience.Wait(refusal);
            }
            catch (RedisException loss)
            {
                if (!Reconnect(loss))
                    return;
            }

            TimedWait.Until(began + Math.Max(_pollIntervalNs, Math.Min(overdue / Patience, LongestPauseNs)));
        }
    }

    private bool Reconnect(RedisException? loss)
    {
        var before = _pipeline.Target;
        _isLost = true;
        if (!(loss is null ? _pipeline.Follow() : _pipeline.Restore(loss)))
            return false;
        _isLost = false;
        // What one server had not is no bound for another.
        if (before != _pipeline.Target)
            _olderAskedNs = 0;
        return true;
    }

    private void Look(long began)
    {
        var pipeline = _pipeline.Current;
        var key = _beats.Key;
        // What another key had not is no bound for this one.
        if (key != _olderAskedFor)
            (_olderAskedFor, _olderAskedNs) = (key, 0);
        var asked = MonotonicClock.NowNs();
        pipeline.Send(key.Request);
        Looks++;
        var limit = began + pipeline.ReplyTimeout.InNanoseconds;
        RespCursor reply;
        var answered = asked;
        while (!pipeline.TryTake(out reply))
        {
            if (answered > Volatile.Read(ref _readUntilNs))
            {
                _isLost = answered - asked > SlowAnswerNs;
                return;
            }

            if (answered > limit)
                throw new RedisTimeoutException($"no reply within {pipeline.ReplyTimeout.TotalSeconds:0.###} s");
            pipeline.Receive(MonotonicClock.ToTimestamp(Math.Min(limit, answered + SliceNs)));
            answered = MonotonicClock.NowNs();
        }

        // A server that took over has heartbeats that were never replicated.
        if (_pipeline.IsElsewhere)
            return;
        if (reply.IsError)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
        _patience.Answered();
        if (answered - asked > SlowAnswerNs)
            _events.NoteStall(_pipeline.Label, answered - asked);
        if (!reply.IsNull)
            Judge(key, reply.Content, answered);
        _olderAskedNs = asked;
    }

    private void Judge(HeartbeatKey key, ReadOnlySpan<byte> value, long answered)
    {
        var isOurs = ProbeValue.TryRead(value, out var session, out var number, out var intended, out var sent)
            && session == key.Session;
        if (!isOurs)
        {
            if (!_isForeign)
            {
                _beats.FindForeign();
                _events.Note("overwritten", $"{_pipeline.Label}: somebody else wrote to the key of the heartbeats");
            }

            _isForeign = true;
            return;
        }

        _isForeign = false;
        if (!_beats.IsNew(key, number))
            return;
        _guard?.RequireReplica();
        _beats.See(key, new FoundHeartbeat(number, intended, sent, _olderAskedNs, answered));
    }
}

/// <summary>What the reader of a way knows of the heartbeats to come, and is told of those that came.</summary>
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

    // One of those, from 1 for the oldest: not there at the last look that found an older one, and no longer needed
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
