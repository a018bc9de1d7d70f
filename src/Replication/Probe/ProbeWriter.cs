using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>Writes values on its own thread and connection, each when due, without waiting for replies.</summary>
internal abstract class ProbeWriter(
    ReconnectingPipeline pipeline, ProbeSession session, long valueSize)
{
    private readonly byte[] _value = new byte[valueSize];
    private readonly byte[] _expiry = Encoding.ASCII.GetBytes(
        FormattableString.Invariant($"{(long)session.Options.Expiry.TotalMilliseconds}"));

    private readonly WakeUpLead _wakeUp = new();
    private readonly RespWriter _request = new((int)valueSize + 512);
    private RedisServerException? _moved;
    private byte _redirections;
    private long _lastProgressNs;

    // How late each value left, by the schedule.
    public LatencyRecorder Lateness { get; } = new();

    public string? FirstRefusal { get; private set; }

    // When it had no more to send: answers that are still to come are no part of its schedule.
    public long? EndedNs { get; private set; }

    public string Label => pipeline.Label;

    // Whether there is no connection now, and it is tried for as long as the session goes on.
    public virtual bool IsLost => false;

    protected ReconnectingPipeline Pipeline => pipeline;

    // Whether no more shall be written: the run was stopped, or a server was lost for good.
    protected bool IsEnding => session.Ending.IsRequested;

    // Null where all are written.
    protected abstract long? NextDueNs { get; }

    /// <exception cref="TargetLostException">The source went away for good.</exception>
    public void Run()
    {
        Pacer.WakePrecisely();
        while (NextDueNs is { } due)
        {
            try
            {
                if (!TryAwait(due))
                    break;
                if (TakeMoved() is { } moved)
                    Follow(moved);
                else
                    Send(due);
            }
            catch (RedisException loss) when (loss is not RedisServerException)
            {
                Recover(loss);
            }
        }

        EndedNs = MonotonicClock.NowNs();
        TakeLastReplies();
    }

    // Until then, and takes replies that are here. False where no more shall be written.
    protected abstract bool TryAwait(long due);

    protected abstract void Send(long due);

    // Its slot is elsewhere.
    protected abstract void Follow(RedisServerException moved);

    protected abstract void Recover(RedisException loss);

    protected abstract void TakeLastReplies();

    // The next reply that was outstanding is here.
    protected abstract void Answer(bool isRefused);

    protected void Send(ReadOnlySpan<byte> key, long number, long due, long sent)
    {
        ProbeValue.Write(_value, key, session.Id, number, due, sent);
        _request.Clear();
        _request.WriteArrayHeader(5);
        _request.WriteBulkString("SET"u8);
        _request.WriteBulkString(key);
        _request.WriteBulkString(_value);
        _request.WriteBulkString("PX"u8);
        _request.WriteBulkString(_expiry);
        Lateness.Record(sent - due);
        if (Pipeline.Current.Outstanding == 0)
        {
            Pipeline.Current.RequireSilence();
            _lastProgressNs = sent;
        }

        Pipeline.Current.Send(_request.Written);
    }

    // Until shortly before; the rest is Pacer.SpinUntil's. False where no more shall be written.
    protected bool TryWaitFor(long due) => _wakeUp.TryWaitFor(due, session.Ending.Cancellation);

    // Takes what is here, or waits for it until then, but not for long.
    protected void TakeReplies(long untilNs)
    {
        var current = pipeline.Current;
        if (current.Outstanding == 0)
            return;
        var now = MonotonicClock.NowNs();
        var came = current.Receive(
            untilNs <= now
                ? Transport.NoWait
                : MonotonicClock.ToTimestamp(Math.Min(untilNs, now + Pacer.LongestNapNs)));
        while (came)
        {
            while (current.TryTake(out var reply))
                Take(ref reply);
            came = current.Outstanding > 0 && current.Receive(Transport.NoWait);
        }

        if (current.Outstanding > 0
            && MonotonicClock.NowNs() - _lastProgressNs > current.ReplyTimeout.InNanoseconds)
        {
            throw new RedisTimeoutException($"no reply within {current.ReplyTimeout.TotalSeconds:0.###} s");
        }
    }

    // Null unless its slot is elsewhere since this was asked before.
    protected RedisServerException? TakeMoved() => Interlocked.Exchange(ref _moved, null);

    private void Take(ref RespCursor reply)
    {
        _lastProgressNs = MonotonicClock.NowNs();
        var isRefused = reply.IsError;
        if (isRefused)
        {
            var kind = ErrorReply.KindOf(reply.Content);
            // What ASK and others refuse counts as refused: a key has its time, and is not written again.
            if (RequestRetry.After(kind, ref _redirections) == NextStep.Follow && kind == ErrorKind.Moved)
                _moved = new RedisServerException(Encoding.UTF8.GetString(reply.Content));
            if (FirstRefusal is null)
            {
                FirstRefusal = Encoding.UTF8.GetString(reply.Content);
                session.Events.Note("refused", $"{Pipeline.Label}: {FirstRefusal}");
            }
        }
        else if (reply.Type != RespType.SimpleString || !reply.Content.SequenceEqual("OK"u8))
        {
            throw new RedisProtocolException($"SET was answered with a reply of type '{(char)reply.Type}'");
        }
        else
        {
            _redirections = 0;
        }

        if (_moved is null)
            Pipeline.NoteAnswer(isRefused);
        Answer(isRefused);
    }
}
