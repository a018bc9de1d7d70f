using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Looks for the keys on their way, by MGET, until each is found or its deadline has passed. A look asks for few: for
/// those that come next, as many more as come between two looks, and in turn some of the others, overtaken or later.
/// </summary>
internal sealed class PollingReader : IKeyReader
{
    // So many keys that come next a look asks for where none of them comes, and so many of the others.
    private const int Few = 16;

    private const long StillAfterNs = 200_000_000;

    private const int FewWhenStill = 4;

    private const long StillNs = 1_000_000;

    private const int MostAhead = 512;

    private const long IdleNs = 50_000;

    private const long SlowAnswerNs = 500_000_000;

    private readonly IKeyRegister _register;
    private readonly RefusalPatience _patience;
    private readonly ulong _session;
    private readonly SessionEvents _events;
    private readonly LastingPipeline _pipeline;
    private readonly ReplicaGuard? _guard;
    private readonly KeyNames _key;
    private readonly RespWriter _request = new((MostAhead + Few) * 64);
    private readonly int[] _asked = new int[MostAhead + Few];
    private readonly long _deadlineNs;
    private readonly long _pollIntervalNs;
    private PendingKey[] _pending = new PendingKey[4096];
    private readonly LinkStandstill _standstill;
    private int _count;
    private int _next;
    private int _turn;
    private int _ahead = Few;
    private long _waitingSinceNs;

    public PollingReader(
        IKeyRegister register, ulong session, string prefix, DelayOptions options, LastingPipeline pipeline,
        SessionEvents events, double intervalNs, ReplicaGuard? guard = null)
    {
        (_register, _session, _pipeline, _events, _guard) = (register, session, pipeline, events, guard);
        _standstill = new LinkStandstill(pipeline.Label, intervalNs, events);
        _patience = new RefusalPatience(pipeline.Label, options.ReconnectTimeout, events);
        _key = new KeyNames(prefix, session);
        _deadlineNs = options.Deadline.InNanoseconds;
        _pollIntervalNs = options.PollInterval.InNanoseconds;
    }

    public int Pending => _count;

    public long Polls { get; private set; }

    // Nobody is to tell of any.
    public long Unpushed => 0;

    public void Run()
    {
        TimedWait.WakePrecisely();
        _waitingSinceNs = MonotonicClock.NowNs();
        while (true)
        {
            var hasEnded = _register.HasEnded;
            Admit();
            if (_count == 0 && hasEnded)
                return;
            var began = MonotonicClock.NowNs();
            if (_count == 0)
                _waitingSinceNs = began;
            try
            {
                if (_pipeline.IsElsewhere)
                    Follow();
                else if (_count > 0)
                    Poll(began);
            }
            catch (RedisServerException refusal) when (refusal.Code != "MOVED")
            {
                _patience.Wait(refusal);
            }
            catch (RedisException loss)
            {
                Restore(loss);
            }

            // Of keys that were given up nobody knows whether they would come.
            if (_count > 0)
                _standstill.Look(MonotonicClock.NowNs(), _waitingSinceNs);
            TimedWait.Until(began + Math.Max(_pollIntervalNs, _count == 0 ? IdleNs : IsStill(began) ? StillNs : 0));
        }
    }

    private void Restore(RedisException loss)
    {
        var before = _pipeline.Target;
        if (!_pipeline.Restore(loss))
            throw new TargetLostException($"{_pipeline.Label} was lost while the run was stopped.", loss);
        if (before != _pipeline.Target)
            ForgetLooks();
        _waitingSinceNs = MonotonicClock.NowNs();
    }

    private void Follow()
    {
        if (!_pipeline.Follow())
            throw new TargetLostException($"{_pipeline.Label} went elsewhere while the run was stopped.");
        ForgetLooks();
    }

    private void ForgetLooks()
    {
        for (var i = 0; i < _count; i++)
            _pending[i] = _pending[i].Unlooked;
    }

    private void Admit()
    {
        while (_register.TryAdmit(out var key))
            Add(key);
    }

    private void Add(PendingKey key)
    {
        if (_count == _pending.Length)
            Array.Resize(ref _pending, _count * 2);
        _pending[_count++] = key;
    }

    private void Poll(long began)
    {
        var count = Choose(IsStill(began) ? FewWhenStill : Few, out var ahead);
        _request.Clear();
        _request.WriteArrayHeader(count + 1);
        _request.WriteBulkString("MGET"u8);
        for (var i = 0; i < count; i++)
            _request.WriteBulkString(_key.Of(_pending[_asked[i]].Sequence));
        var pipeline = _pipeline.Current;
        var asked = MonotonicClock.NowNs();
        pipeline.Send(_request.Written);
        Polls++;
        var until = began + pipeline.ReplyTimeout.InNanoseconds;
        RespCursor reply;
        var answered = asked;
        while (!pipeline.TryTake(out reply))
        {
            if (answered > until)
                throw new RedisTimeoutException($"no reply within {pipeline.ReplyTimeout.TotalSeconds:0.###} s");
            pipeline.Receive(MonotonicClock.ToTimestamp(until));
            answered = MonotonicClock.NowNs();
        }

        // A server that took over has keys that were never replicated.
        if (_pipeline.IsElsewhere)
            return;
        if (reply.IsError)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
        if (reply.Children != count)
            throw new RedisProtocolException($"MGET of {count} keys was answered with {reply.Children} values");
        _patience.Answered();
        if (answered - asked > SlowAnswerNs)
            _events.NoteStall(_pipeline.Label, answered - asked);
        if (_guard is not null && HoldsAny(reply, count))
            _guard.RequireReplica();
        Judge(ref reply, count, ahead, asked, answered);
    }

    // Those that come next first, then some of the others in turn.
    private int Choose(int few, out int ahead)
    {
        ahead = Math.Min(few < Few ? few : _ahead, _count - _next);
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
        for (var i = 0; i < count; i++)
        {
            reply.MoveNext();
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
        if (isDone > 0)
            Compact();
    }

    private bool IsDone(in PendingKey pending, in RespCursor value, long asked, long answered)
    {
        if (!value.IsNull)
        {
            Found(pending, value.Content, answered);
            return true;
        }

        if (_register.IsWithdrawn(pending.Sequence))
            return true;
        if (asked - pending.SentNs < _deadlineNs)
            return false;
        _register.Missing(pending, asked);
        return true;
    }

    private void Found(in PendingKey pending, ReadOnlySpan<byte> value, long answered)
    {
        if (!ProbeValue.TryRead(value, out var session, out var sequence, out var intended, out var sent)
            || session != _session || sequence != pending.Sequence)
        {
            _register.Overwritten(pending, answered);
            return;
        }

        _register.Found(pending, intended, sent, answered);
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

internal interface IKeyReader
{
    int Pending { get; }
    long Polls { get; }
    long Unpushed { get; }
    void Run();
}
