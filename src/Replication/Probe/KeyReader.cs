using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Polls for the keys on their way, by MGET, until each is found or its deadline has passed. A poll asks for few: for
/// those that come next, as many more as come between two polls, and in turn some of the others, overtaken or later.
/// </summary>
internal sealed class KeyReader(
    IKeyRegister register, ulong session, string prefix, DelayOptions options, ReconnectingPipeline pipeline,
    SessionEvents events, double intervalNs, ReplicaGuard? guard = null)
    : ProbeReader(pipeline, options, events)
{
    // So many keys that come next a poll asks for where none of them comes, and so many of the others.
    private const int Few = 16;
    private const int FewWhenStill = 4;
    private const int MostAhead = ReconnectingPipeline.MostValues - Few;
    private const long StillAfterNs = 200_000_000;
    private const long StillNs = 1_000_000;
    private const long IdleNs = 50_000;

    private readonly LinkStall _standstill = new(pipeline.Label, intervalNs, events);
    private readonly KeyNames _key = new(prefix, session);
    private readonly RespWriter _request = new(ReconnectingPipeline.MostValues * 64);
    private readonly int[] _asked = new int[ReconnectingPipeline.MostValues];
    private readonly long _deadlineNs = options.Deadline.InNanoseconds;
    private PendingKey[] _pending = new PendingKey[4096];
    private int _count;
    private int _next;
    private int _turn;
    private int _ahead = Few;
    private long _waitingSinceNs;

    public override long Pending => _count;

    protected override bool TryBegin(out bool isDue)
    {
        var hasEnded = register.HasEnded;
        if (_count == 0)
            _waitingSinceNs = MonotonicClock.NowNs();
        while (register.TryAdmit(out var key))
            Add(key);
        isDue = _count > 0;
        return isDue || !hasEnded;
    }

    protected override bool TryRestore(RedisException? loss)
    {
        if (Pipeline.Restore(loss) || loss is null)
        {
            for (var i = 0; i < _count; i++)
                _pending[i] = _pending[i].Unpolled;
        }

        if (loss is not null)
            _waitingSinceNs = MonotonicClock.NowNs();
        return true;
    }

    protected override void Rest(long beganNs, bool wasDue)
    {
        // Of keys that were given up nobody knows whether they would come.
        if (_count > 0)
            _standstill.Check(MonotonicClock.NowNs(), _waitingSinceNs);
        Pacer.WaitUntil(beganNs + Math.Max(PollIntervalNs, _count == 0 ? IdleNs : IsStill(beganNs) ? StillNs : 0));
    }

    private void Add(PendingKey key)
    {
        if (_count == _pending.Length)
            Array.Resize(ref _pending, _count * 2);
        _pending[_count++] = key;
    }

    protected override void Poll(long nowNs)
    {
        var count = Choose(AsksSingly ? 1 : IsStill(nowNs) ? FewWhenStill : Few, out var ahead);
        _request.Clear();
        _request.WriteArrayHeader(count + 1);
        _request.WriteBulkString("MGET"u8);
        for (var i = 0; i < count; i++)
            _request.WriteBulkString(_key.Of(_pending[_asked[i]].Sequence));
        if (!TryAsk(_request.Written, out var reply))
            return;
        if (reply.Children != count)
            throw new RedisProtocolException($"{count} keys were asked for, and {reply.Children} values came");
        if (guard is not null && HoldsAny(reply, count))
            guard.RequireReplica();
        Judge(ref reply, count, ahead, AskedNs, AnsweredNs);
        Pipeline.NoteAnswer(isRefused: false);
    }

    // Those that come next first, then some of the others in turn; of one only, each in turn.
    private int Choose(int few, out int ahead)
    {
        ahead = few == 1 ? 0 : Math.Min(few < Few ? few : _ahead, _count - _next);
        for (var i = 0; i < ahead; i++)
            _asked[i] = _next + i;
        var others = _count - ahead;
        var taken = Math.Min(few, others);
        for (var i = 0; i < taken; i++)
        {
            var other = (_turn + i) % others;
            _asked[ahead + i] = other < _next ? other : other + ahead;
        }

        _turn = others == 0 ? 0 : (_turn + taken) % others;
        return ahead + taken;
    }

    private bool IsStill(long nowNs) => nowNs - _waitingSinceNs > StillAfterNs;

    private static bool HoldsAny(RespCursor reply, int count)
    {
        for (var i = 0; i < count; i++)
        {
            reply.MoveNext();
            if (!reply.IsNull)
                return true;
        }

        return false;
    }

    private void Judge(ref RespCursor reply, int count, int ahead, long asked, long answered)
    {
        var isDone = 0;
        var came = 0;
        try
        {
            for (var i = 0; i < count; i++)
            {
                reply.MoveNext();
                RequireValue(reply);
                ref var pending = ref _pending[_asked[i]];
                if (!reply.IsNull)
                {
                    _waitingSinceNs = answered;
                    _next = Math.Max(_next, _asked[i] + 1);
                    came += i < ahead ? 1 : 0;
                }

                if (!IsDone(pending, reply, asked, answered))
                {
                    pending = pending with { LastMissNs = asked };
                    continue;
                }

                pending = default;
                isDone++;
            }

            if (came == ahead && came >= FewWhenStill)
                _ahead = Math.Min(MostAhead, 2 * _ahead);
            else if (came < _ahead / 2)
                _ahead = Math.Max(Few, _ahead / 2);
        }
        finally
        {
            if (isDone > 0)
                Compact();
        }
    }

    private bool IsDone(in PendingKey pending, in RespCursor value, long asked, long answered)
    {
        if (!value.IsNull)
        {
            Found(pending, value.Content, answered);
            return true;
        }

        if (register.IsWithdrawn(pending.Sequence))
            return true;
        if (asked - pending.SentNs < _deadlineNs)
            return false;
        register.Missing(pending, asked);
        return true;
    }

    private void Found(in PendingKey pending, ReadOnlySpan<byte> value, long answered)
    {
        var name = _key.Of(pending.Sequence);
        if (ProbeValue.TryRead(value, name, out var writer, out var sequence, out var intended, out var sent)
            && writer == session && sequence == pending.Sequence)
        {
            register.Found(pending, intended, sent, answered);
        }
        else
        {
            register.Overwritten(pending, answered);
        }
    }

    private void Compact()
    {
        var kept = 0;
        var next = 0;
        for (var i = 0; i < _count; i++)
        {
            if (i == _next)
                next = kept;
            if (_pending[i] != default)
                _pending[kept++] = _pending[i];
        }

        _next = _next >= _count ? kept : next;
        _count = kept;
    }
}
