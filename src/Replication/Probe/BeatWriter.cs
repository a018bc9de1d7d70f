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
/// Writes the one key of a way, over and over, each time when it is due, without waiting for replies.
/// </summary>
internal sealed class BeatWriter
{
    private const long LongestNapNs = 50_000_000;

    private static readonly TimeSpan LastReplyLimit = TimeSpan.FromSeconds(1);

    private readonly BeatSchedule _schedule;
    private readonly BeatTally _tally;
    private readonly LastingPipeline _pipeline;
    private readonly SessionEvents _events;
    private readonly IStopToken _end;
    private readonly ulong _session;
    private readonly byte[] _key;
    private readonly byte[] _expiry;
    private readonly byte[] _value = new byte[ProbeValue.Length];
    private readonly RespWriter _request = new(512);
    private long _nextReply;
    private long _lastProgressNs;
    private RedisServerException? _moved;
    private volatile bool _isLost;

    public BeatWriter(
        BeatSchedule schedule, BeatTally tally, BeatKey key, TimeSpan expiry, LastingPipeline pipeline,
        SessionEvents events, IStopToken end)
    {
        (_schedule, _tally, _session, _pipeline, _events, _end) = (schedule, tally, key.Session, pipeline, events, end);
        _key = Encoding.ASCII.GetBytes(key.Name);
        _expiry = Encoding.ASCII.GetBytes(FormattableString.Invariant($"{(long)expiry.TotalMilliseconds}"));
    }

    public LatencyRecorder Lateness { get; } = new();

    public bool IsLost => _isLost;

    public string? FirstRefusal { get; private set; }

    public void Run()
    {
        TimedWait.WakePrecisely();
        for (long beat = 0; beat < _schedule.Count;)
        {
            try
            {
                AwaitReplies(_schedule.DueOf(beat));
                WaitUntil(_schedule.DueOf(beat));
                if (_end.IsRequested)
                    break;
                beat = _moved is null ? Send(beat) : Recover(TakeMoved(), beat);
            }
            catch (RedisException loss) when (loss is not RedisServerException)
            {
                beat = Recover(loss, beat);
            }
        }

        TakeLastReplies();
    }

    private long Send(long beat)
    {
        // Of several that are due at once only the last one would be seen.
        var newest = Math.Max(beat, _schedule.DueBy(MonotonicClock.NowNs()) - 1);
        var due = _schedule.DueOf(newest);
        var sent = MonotonicClock.NowNs();
        var number = _tally.Send(due, sent, newest - beat);
        ProbeValue.Write(_value, _session, number, due, sent);
        _request.Clear();
        _request.WriteArrayHeader(5);
        _request.WriteBulkString("SET"u8);
        _request.WriteBulkString(_key);
        _request.WriteBulkString(_value);
        _request.WriteBulkString("PX"u8);
        _request.WriteBulkString(_expiry);
        Lateness.Record(sent - due);
        if (_pipeline.Current.Outstanding == 0)
            _lastProgressNs = sent;
        try
        {
            _pipeline.Current.Send(_request.Written);
            return newest + 1;
        }
        catch (RedisException loss) when (loss is not RedisServerException)
        {
            // It has its number: what became of it shows at the destination.
            return Recover(loss, newest + 1);
        }
    }

    private void WaitUntil(long due)
    {
        while (due - MonotonicClock.NowNs() > LongestNapNs && !_end.IsRequested)
            TimedWait.Until(MonotonicClock.NowNs() + LongestNapNs);
        if (!_end.IsRequested)
            TimedWait.Until(due);
    }

    // Replies that come before the next heartbeat tell early what was refused.
    private void AwaitReplies(long until)
    {
        var pipeline = _pipeline.Current;
        while (pipeline.Outstanding > 0 && !_end.IsRequested)
        {
            var now = MonotonicClock.NowNs();
            pipeline.Receive(now >= until
                ? Transport.NoWait
                : MonotonicClock.ToTimestamp(Math.Min(until, now + LongestNapNs)));
            TakeReplies();
            if (now >= until)
                return;
        }
    }

    private void TakeReplies()
    {
        var pipeline = _pipeline.Current;
        while (pipeline.TryTake(out var reply))
            Take(ref reply);
        if (pipeline.Outstanding > 0
            && MonotonicClock.NowNs() - _lastProgressNs > pipeline.ReplyTimeout.Ticks * TimeSpan.NanosecondsPerTick)
        {
            throw new RedisTimeoutException($"no reply within {pipeline.ReplyTimeout.TotalSeconds:0.###} s");
        }
    }

    private void Take(ref RespCursor reply)
    {
        _lastProgressNs = MonotonicClock.NowNs();
        var number = _nextReply++;
        if (!reply.IsError)
            return;
        var text = Encoding.UTF8.GetString(reply.Content);
        if (Redirection.TryParse(reply.Content, out var redirection) && redirection.Kind == RedirectionKind.Moved)
            _moved = new RedisServerException(text);
        _tally.Refuse(number);
        if (FirstRefusal is null)
            _events.Note("refused", $"{_pipeline.Label}: {text}");
        FirstRefusal ??= text;
    }

    private RedisServerException TakeMoved()
    {
        var moved = _moved!;
        _moved = null;
        return moved;
    }

    private long Recover(RedisException loss, long beat)
    {
        _tally.BeginOutage(beat);
        _isLost = true;
        try
        {
            _isLost = !_pipeline.Restore(loss);
        }
        finally
        {
            beat = _tally.EndOutage();
        }

        // Answers to what went before are lost with their connection.
        _nextReply = _tally.Look().Sent;
        _moved = null;
        return beat;
    }

    private void TakeLastReplies()
    {
        if (_isLost)
            return;
        var until = MonotonicClock.NowNs() + (LastReplyLimit.Ticks * TimeSpan.NanosecondsPerTick);
        try
        {
            while (_pipeline.Current.Outstanding > 0 && MonotonicClock.NowNs() < until)
            {
                _pipeline.Current.Receive(MonotonicClock.ToTimestamp(until));
                TakeReplies();
            }

            if (_pipeline.Current.Outstanding > 0)
                throw new RedisTimeoutException("no reply to the last heartbeats");
        }
        catch (RedisException loss)
        {
            // Who is there again has what became of them.
            _isLost = true;
            _isLost = !_pipeline.Restore(loss);
        }
    }
}
