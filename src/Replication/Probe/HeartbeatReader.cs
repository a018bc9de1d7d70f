using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>Polls a shard's key; when a heartbeat came is known as an interval, as in DelaySeries.</summary>
internal sealed class HeartbeatReader(
    Heartbeats beats, DelayOptions options, ReconnectingPipeline pipeline, SessionEvents events, ReplicaGuard? guard)
    : ProbeReader(pipeline, options, events)
{
    private const long Patience = 100;
    private const long LongestPauseNs = 100_000_000;

    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private HeartbeatKey? _olderAskedFor;
    private long _olderAskedNs;
    private long _overdueNs;
    private bool _isForeign;
    private volatile bool _isLost;

    public override bool IsLost => _isLost || Pipeline.IsInDoubt;

    public override long Pending => beats.Counts.Waiting;

    public override void Close(long untilNs)
    {
        beats.Close();
        base.Close(untilNs);
    }

    protected override bool TryBegin(out bool isDue)
    {
        var isFinishing = UntilNs != long.MaxValue;
        isDue = beats.AreAwaited(out _overdueNs);
        return isDue || !isFinishing;
    }

    protected override void Rest(long beganNs, bool wasDue)
    {
        if (wasDue)
            Pacer.WaitUntil(beganNs + Math.Max(PollIntervalNs, Math.Min(_overdueNs / Patience, LongestPauseNs)));
        else
            beats.WaitUntilAwaited(Nap);
    }

    protected override bool TryRestore(RedisException? loss)
    {
        var before = Pipeline.Target;
        _isLost = true;
        if (!Pipeline.TryRestore(loss))
            return false;
        _isLost = false;
        // What one server had not is no bound for another.
        if (before != Pipeline.Target)
            _olderAskedNs = 0;
        return true;
    }

    protected override void Poll(long nowNs)
    {
        var key = beats.Key;
        // What another key had not is no bound for this one.
        if (key != _olderAskedFor)
            (_olderAskedFor, _olderAskedNs) = (key, 0);
        if (!TryAsk(key.Request, out var reply))
        {
            _isLost = WasSlow && !Pipeline.IsElsewhere;
            return;
        }

        RequireValue(reply);
        Pipeline.NoteAnswer(isRefused: false);
        if (!reply.IsNull)
            Judge(key, reply.Content, AnsweredNs);
        _olderAskedNs = AskedNs;
    }

    private void Judge(HeartbeatKey key, ReadOnlySpan<byte> value, long answered)
    {
        var isOurs =
            ProbeValue.TryRead(value, key.NameBytes, out var session, out var number, out var intended, out var sent)
            && session == key.Session;
        if (!isOurs)
        {
            if (!_isForeign)
            {
                beats.FindForeign();
                Events.Note(
                    "overwritten",
                    $"{Pipeline.Label}: another client wrote to the key of the heartbeats, or it was altered on "
                        + "its way");
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
