using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Redis.Transports;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Writes every n-th key of a session on a thread and a connection of its own, each when it is due, without waiting
/// for replies.
/// </summary>
internal sealed class KeyWriter
{
    private const long LongestNapNs = 50_000_000;

    private readonly WritingSession _session;
    private readonly LastingPipeline _pipeline;
    private readonly int _index;
    private readonly KeyNames _key;
    private readonly byte[] _value;
    private readonly byte[] _expiry;
    private readonly RespWriter _request;
    private byte[]? _channel;
    private long _nextReply;
    private long _lastProgressNs;
    private RedisServerException? _moved;
    private long _next;

    public KeyWriter(WritingSession session, LastingPipeline pipeline, string prefix, int index)
    {
        (_session, _pipeline, _index) = (session, pipeline, index);
        _key = new KeyNames(prefix, session.Id);
        _value = new byte[session.Options.ValueSize];
        _expiry = Encoding.ASCII.GetBytes(FormattableString.Invariant(
            $"{(long)session.Options.Expiry.TotalMilliseconds}"));
        _request = new RespWriter(_value.Length + 512);
        _nextReply = _next = index;
    }

    public LatencyRecorder Lateness { get; } = new();
    public long LastLatenessNs { get; private set; }
    public long Asked { get; private set; }
    public long Sent { get; private set; }
    public long Unsent { get; private set; }
    public long Refused { get; private set; }
    public string? FirstRefusal { get; private set; }
    public long Unanswered { get; private set; }

    public void PublishOn(string channel) => _channel = Encoding.ASCII.GetBytes(channel);

    // Counts keys that were due until then, and will not be sent, as unsent; after the writer has ended.
    public void OmitUntil(long nowNs)
    {
        for (; _next < _session.Ledger.Keys && _session.DueOf(_next) <= nowNs; _next += _session.Writers)
        {
            _session.Ledger.Note(_next, KeyLedger.Unsent);
            Asked++;
            Unsent++;
        }
    }

    public void Run()
    {
        TimedWait.WakePrecisely();
        var ledger = _session.Ledger;
        for (long sequence = _index; sequence < ledger.Keys; sequence += _session.Writers)
        {
            var due = _session.DueOf(sequence);
            WaitUntil(due);
            if (_session.IsEnding)
                break;
            try
            {
                TakeReplies();
                sequence = _moved is null ? Send(sequence, due) : Follow();
            }
            catch (RedisException loss) when (loss is not RedisServerException)
            {
                sequence = Recover(loss);
            }
        }

        TakeLastReplies();
    }

    private long Send(long sequence, long due)
    {
        var sent = MonotonicClock.NowNs();
        ProbeValue.Write(_value, _session.Id, sequence, due, sent);
        _request.Clear();
        if (_channel is { } channel)
        {
            _request.WriteArrayHeader(3);
            _request.WriteBulkString("PUBLISH"u8);
            _request.WriteBulkString(channel);
            _request.WriteBulkString(_value);
        }
        else
        {
            _request.WriteArrayHeader(5);
            _request.WriteBulkString("SET"u8);
            _request.WriteBulkString(_key.Of(sequence));
            _request.WriteBulkString(_value);
            _request.WriteBulkString("PX"u8);
            _request.WriteBulkString(_expiry);
        }

        _session.Ledger.Note(sequence, sent);
        _next = sequence + _session.Writers;
        Asked++;
        Sent++;
        LastLatenessNs = sent - due;
        Lateness.Record(sent - due);
        if (_pipeline.Current.Outstanding == 0)
            _lastProgressNs = sent;
        _pipeline.Current.Send(_request.Written);
        return sequence;
    }

    private void WaitUntil(long due)
    {
        while (due - MonotonicClock.NowNs() > LongestNapNs && !_session.IsEnding)
            TimedWait.Until(MonotonicClock.NowNs() + LongestNapNs);
        if (!_session.IsEnding)
            TimedWait.Until(due);
    }

    private void TakeReplies()
    {
        var pipeline = _pipeline.Current;
        while (pipeline.Outstanding > 0 && pipeline.Receive(Transport.NoWait))
        {
            while (pipeline.TryTake(out var reply))
                Take(ref reply);
        }

        if (pipeline.Outstanding > 0
            && MonotonicClock.NowNs() - _lastProgressNs > pipeline.ReplyTimeout.Ticks * TimeSpan.NanosecondsPerTick)
        {
            throw new RedisTimeoutException($"no reply within {pipeline.ReplyTimeout.TotalSeconds:0.###} s");
        }
    }

    private void Take(ref RespCursor reply)
    {
        _lastProgressNs = MonotonicClock.NowNs();
        if (reply.IsError)
        {
            if (Redirection.TryParse(reply.Content, out var redirection) && redirection.Kind == RedirectionKind.Moved)
                _moved = new RedisServerException(Encoding.UTF8.GetString(reply.Content));
            Refused++;
            _session.Ledger.Note(_nextReply, KeyLedger.Refused);
            if (FirstRefusal is null)
            {
                FirstRefusal = Encoding.UTF8.GetString(reply.Content);
                _session.Events.Note("refused", $"{_pipeline.Label}: {FirstRefusal}");
            }
        }

        _nextReply += _session.Writers;
    }

    private long Follow()
    {
        var reason = _moved!;
        _moved = null;
        AwaitReplies();
        _moved = null;
        return Recover(reason);
    }

    private long Recover(RedisException loss)
    {
        Restore(loss);
        // Whatever became due meanwhile has no intended time to keep any more.
        OmitUntil(MonotonicClock.NowNs());
        _nextReply = _next;
        return _next - _session.Writers;
    }

    private void Restore(RedisException loss)
    {
        Unanswered += _pipeline.Current.Outstanding;
        if (_pipeline.Restore(loss))
            return;
        OmitUntil(MonotonicClock.NowNs());
        throw new TargetLostException($"{_pipeline.Label} was lost while the run was stopped.", loss);
    }

    private void TakeLastReplies()
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

    private void AwaitReplies()
    {
        var pipeline = _pipeline.Current;
        while (pipeline.Outstanding > 0)
        {
            pipeline.Receive(MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + LongestNapNs));
            TakeReplies();
            while (pipeline.TryTake(out var reply))
                Take(ref reply);
        }
    }
}
