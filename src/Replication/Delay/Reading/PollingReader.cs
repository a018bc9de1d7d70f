using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;

namespace RedisLatency.Replication.Delay.Reading;

/// <summary>
/// Looks for the keys that were sent and not seen, again and again, by MGET, until each is found or its deadline has
/// passed.
/// </summary>
internal sealed class PollingReader : IKeyReader
{
    /// <summary>The most keys that one look asks for: with more outstanding, looks take turns among them.</summary>
    private const int MostAtOnce = 512;

    /// <summary>With nothing to look for, so long until the next look at what was sent.</summary>
    private const long IdleNs = 50_000;

    /// <summary>A look that takes longer is an event of its own.</summary>
    private const long SlowAnswerNs = 500_000_000;

    private readonly IKeyRegister _register;
    private readonly RefusalPatience _patience;
    private readonly ulong _session;
    private readonly SessionEvents _events;
    private readonly LastingPipeline _pipeline;
    private readonly ReplicaGuard? _guard;
    private readonly ProbeKey _key;
    private readonly RespWriter _request = new(MostAtOnce * 64);
    private readonly long _deadlineNs;
    private readonly long _pollIntervalNs;
    private PendingKey[] _pending = new PendingKey[4096];
    private int _count;
    private int _from;

    /// <summary>Looks for keys that a register knows.</summary>
    /// <param name="register">Which, and what is done with them.</param>
    /// <param name="session">The session that their names and values carry.</param>
    /// <param name="prefix">What their names begin with.</param>
    /// <param name="options">How often and how long they are looked for.</param>
    /// <param name="pipeline">The connection to the destination.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="guard">
    /// Whether the destination still is a replica when something was found there; null where that is known otherwise.
    /// </param>
    public PollingReader(
        IKeyRegister register, ulong session, string prefix, DelayOptions options, LastingPipeline pipeline,
        SessionEvents events, ReplicaGuard? guard = null)
    {
        (_register, _session, _pipeline, _events, _guard) = (register, session, pipeline, events, guard);
        _patience = new RefusalPatience(pipeline.Label, options.ReconnectTimeout, events);
        _key = new ProbeKey(prefix, session);
        _deadlineNs = options.Deadline.Ticks * TimeSpan.NanosecondsPerTick;
        _pollIntervalNs = options.PollInterval.Ticks * TimeSpan.NanosecondsPerTick;
    }

    /// <inheritdoc/>
    public int Pending => _count;

    /// <inheritdoc/>
    public long Polls { get; private set; }

    /// <inheritdoc/>
    // Nobody is to tell of any.
    public long Unpushed => 0;

    /// <inheritdoc/>
    public void Run()
    {
        TimedWait.WakePrecisely();
        while (true)
        {
            var hasEnded = _register.HasEnded;
            Admit();
            if (_count == 0 && hasEnded)
                return;
            var began = MonotonicClock.NowNs();
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

            TimedWait.Until(began + Math.Max(_pollIntervalNs, _count == 0 ? IdleNs : 0));
        }
    }

    private void Restore(RedisException loss)
    {
        var before = _pipeline.Target;
        if (!_pipeline.Restore(loss))
            throw new TargetLostException($"{_pipeline.Label} was lost while the run was stopped.", loss);
        if (before != _pipeline.Target)
            ForgetLooks();
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
        var count = Math.Min(_count, MostAtOnce);
        _request.Clear();
        _request.WriteArrayHeader(count + 1);
        _request.WriteBulkString("MGET"u8);
        for (var i = 0; i < count; i++)
            _request.WriteBulkString(_key.Of(_pending[(_from + i) % _count].Sequence));
        var pipeline = _pipeline.Current;
        var asked = MonotonicClock.NowNs();
        pipeline.Send(_request.Written);
        Polls++;
        var until = began + (pipeline.ReplyTimeout.Ticks * TimeSpan.NanosecondsPerTick);
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
        {
            var took = Quantity.Duration(answered - asked);
            _events.Note("stalled", $"{_pipeline.Label}: a look was answered after {took} only");
        }

        if (_guard is not null && HoldsAny(reply, count))
            _guard.RequireReplica();
        Judge(ref reply, count, asked, answered);
    }

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

    private void Judge(ref RespCursor reply, int count, long asked, long answered)
    {
        var isDone = 0;
        for (var i = 0; i < count; i++)
        {
            reply.MoveNext();
            ref var pending = ref _pending[(_from + i) % _count];
            if (!IsDone(pending, reply, asked, answered))
            {
                pending = pending with { LastMissNs = asked };
                continue;
            }

            pending = default;
            isDone++;
        }

        if (isDone > 0)
            Compact();
        _from = _count == 0 ? 0 : (_from + count - isDone) % _count;
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
        for (var i = 0; i < _count; i++)
        {
            if (_pending[i] != default)
                _pending[kept++] = _pending[i];
        }

        _count = kept;
    }
}
