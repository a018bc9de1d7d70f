using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Recording;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;

namespace RedisLatency.Replication.Delay.Reading;

/// <summary>
/// Looks for the keys that were sent and not seen, again and again, by MGET, until each is found or its deadline has
/// passed.
/// </summary>
internal sealed class PollingReader
{
    /// <summary>The most keys that one look asks for: with more outstanding, looks take turns among them.</summary>
    private const int MostAtOnce = 512;

    /// <summary>With nothing to look for, so long until the next look at what was sent.</summary>
    private const long IdleNs = 50_000;

    /// <summary>A look that takes longer is an event of its own.</summary>
    private const long SlowAnswerNs = 500_000_000;

    private static readonly TimeSpan PauseWhileUnable = TimeSpan.FromMilliseconds(5);

    private readonly KeySession _session;
    private readonly LastingPipeline _pipeline;
    private readonly ProbeKey _key;
    private readonly RespWriter _request = new(MostAtOnce * 64);
    private readonly long[] _admitted;
    private readonly long _deadlineNs;
    private readonly long _pollIntervalNs;
    private PendingKey[] _pending = new PendingKey[4096];
    private int _count;
    private int _from;
    private readonly List<long> _missing = [];
    private long _unableSinceNs;

    public PollingReader(KeySession session, LastingPipeline pipeline)
    {
        (_session, _pipeline) = (session, pipeline);
        _key = new ProbeKey(session.Options.Prefix, session.Id);
        _admitted = [.. Enumerable.Range(0, session.Writers).Select(writer => (long)writer)];
        _deadlineNs = session.Options.Deadline.Ticks * TimeSpan.NanosecondsPerTick;
        _pollIntervalNs = session.Options.PollInterval.Ticks * TimeSpan.NanosecondsPerTick;
    }

    /// <summary>The delays from when each key was sent.</summary>
    public DelaySeries FromSent { get; } = new(DelaySeriesNames.Delay);

    /// <summary>The delays from when each key was due.</summary>
    public DelaySeries FromIntended { get; } = new(DelaySeriesNames.DelayFromIntended);

    /// <summary>How long each delay's interval was.</summary>
    public LatencyRecorder Uncertainty { get; } = new();

    /// <summary>Keys that were read as they were written.</summary>
    public long Read { get; private set; }

    /// <summary>Keys that had another value.</summary>
    public long Overwritten { get; private set; }

    /// <summary>The numbers of the keys that were not there when their deadline had passed.</summary>
    public IReadOnlyList<long> Missing => _missing;

    /// <summary>How many keys are missing.</summary>
    public long MissingCount { get; private set; }

    /// <summary>Keys that are being looked for.</summary>
    public int Pending => _count;

    /// <summary>How often the destination was asked.</summary>
    public long Polls { get; private set; }

    /// <summary>Reads until every key is accounted for.</summary>
    /// <exception cref="TargetLostException">The destination went away for good.</exception>
    public void Run()
    {
        TimedWait.WakePrecisely();
        while (true)
        {
            var hasEnded = _session.Ledger.HasEnded;
            Admit();
            if (_count == 0 && hasEnded)
                return;
            var began = MonotonicClock.NowNs();
            try
            {
                if (_count > 0)
                    Poll(began);
            }
            catch (RedisServerException refusal)
            {
                Wait(refusal);
            }
            catch (RedisException loss)
            {
                if (!_pipeline.Restore(loss))
                    throw new TargetLostException("destination was lost while the run was stopped.", loss);
            }

            TimedWait.Until(began + Math.Max(_pollIntervalNs, _count == 0 ? IdleNs : 0));
        }
    }

    private void Admit()
    {
        var ledger = _session.Ledger;
        for (var writer = 0; writer < _admitted.Length; writer++)
        {
            var next = _admitted[writer];
            for (; next < ledger.Keys && ledger.SentOf(next) is var sent and not 0; next += _admitted.Length)
            {
                if (sent > 0)
                    Add(new PendingKey(next, sent, sent));
            }

            _admitted[writer] = next;
        }
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

        if (reply.IsError)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
        if (reply.Children != count)
            throw new RedisProtocolException($"MGET of {count} keys was answered with {reply.Children} values");
        Able();
        if (answered - asked > SlowAnswerNs)
        {
            var took = Quantity.Duration(answered - asked);
            _session.Events.Note("stalled", $"destination: a look was answered after {took} only");
        }

        Judge(ref reply, count, asked, answered);
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

        // The source's refusal may come after the key was admitted.
        if (_session.Ledger.SentOf(pending.Sequence) == KeyLedger.Refused)
            return true;
        if (asked - pending.SentNs < _deadlineNs)
            return false;
        MissingCount++;
        _session.Trace?.Note(pending.Sequence, KeyFate.Missing, asked, 0);
        _missing.Add(pending.Sequence);
        return true;
    }

    private void Found(in PendingKey pending, ReadOnlySpan<byte> value, long answered)
    {
        if (!ProbeValue.TryRead(value, out var session, out var sequence, out var intended, out var sent)
            || session != _session.Id || sequence != pending.Sequence)
        {
            Overwritten++;
            _session.Trace?.Note(pending.Sequence, KeyFate.Overwritten, pending.LastMissNs, answered);
            return;
        }

        Read++;
        _session.Trace?.Note(pending.Sequence, KeyFate.Read, pending.LastMissNs, answered);
        FromSent.Record(pending.LastMissNs - sent, answered - sent);
        FromIntended.Record(pending.LastMissNs - intended, answered - intended);
        Uncertainty.Record(answered - pending.LastMissNs);
    }

    private void Compact()
    {
        var kept = 0;
        for (var i = 0; i < _count; i++)
        {
            if (_pending[i].SentNs != 0)
                _pending[kept++] = _pending[i];
        }

        _count = kept;
    }

    private void Wait(RedisServerException refusal)
    {
        var now = MonotonicClock.NowNs();
        if (_unableSinceNs == 0)
        {
            _unableSinceNs = now;
            _session.Events.Note("unable", $"destination: {refusal.Message}");
        }

        var limit = _session.Options.ReconnectTimeout.Ticks * TimeSpan.NanosecondsPerTick;
        if (!refusal.IsTransient || now - _unableSinceNs > limit)
            throw new TargetLostException($"destination: {refusal.Message}", refusal);
        TimedWait.Until(now + (PauseWhileUnable.Ticks * TimeSpan.NanosecondsPerTick));
    }

    private void Able()
    {
        if (_unableSinceNs != 0)
            _session.Events.Note("able", "destination: answers again");
        _unableSinceNs = 0;
    }
}
