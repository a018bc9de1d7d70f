using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Polls a destination: one request at a time. Follows MOVED and ASK, and waits while a server that is reached refuses
/// to be read, as long as it may recover. One thread, but for Close.
/// </summary>
internal abstract class ProbeReader(ReconnectingPipeline pipeline, DelayOptions options, SessionEvents events)
{
    private const long SlowAnswerNs = 500_000_000;

    // A poll is asked anew, not again: when a server is able again is known to this.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    // Of several keys a slot in the middle of its move may have some: it refuses the question (TRYAGAIN).
    private static readonly TimeSpan Singly = TimeSpan.FromSeconds(1);

    private long _unableSinceNs;
    private long _singlyUntilNs;
    private byte _redirections;
    private long _untilNs = long.MaxValue;

    public long Polls { get; private set; }

    // Of those that were written and neither read nor given up.
    public abstract long Pending { get; }

    // Whether there is no connection now, and it is tried for as long as the session goes on.
    public virtual bool IsLost => false;

    protected ReconnectingPipeline Pipeline => pipeline;

    protected SessionEvents Events => events;

    protected long PollIntervalNs { get; } = options.PollInterval.InNanoseconds;
    protected long AskedNs { get; private set; }
    protected long AnsweredNs { get; private set; }

    protected long UntilNs => Volatile.Read(ref _untilNs);

    protected bool AsksSingly => MonotonicClock.NowNs() < _singlyUntilNs;

    protected bool WasSlow => AnsweredNs - AskedNs > SlowAnswerNs;

    public void Run()
    {
        Pacer.WakePrecisely();
        while (true)
        {
            var hasMore = TryBegin(out var isDue);
            var began = MonotonicClock.NowNs();
            if (!hasMore || UntilNs < began)
                return;
            try
            {
                if (pipeline.IsElsewhere)
                {
                    if (!TryRestore(null))
                        return;
                }
                else if (isDue)
                {
                    Poll(began);
                }
            }
            catch (RedisServerException refusal)
            {
                var next = RequestRetry.After(refusal.Kind, ref _redirections);
                if (next != NextStep.Follow)
                    WaitAfter(refusal, next);
                else if (!TryRestore(refusal))
                    return;
            }
            catch (RedisException loss)
            {
                if (!TryRestore(loss))
                    return;
            }

            Rest(began, isDue);
        }
    }

    // Nothing that comes later counts.
    public virtual void Close(long untilNs) => Volatile.Write(ref _untilNs, untilNs);

    // False where nothing is waited for, and never will be.
    protected abstract bool TryBegin(out bool isDue);

    protected abstract void Poll(long nowNs);

    // False where the run was stopped meanwhile.
    protected abstract bool TryRestore(RedisException? loss);

    // From one poll to the next.
    protected abstract void Rest(long beganNs, bool wasDue);

    // False where no answer came until it was to finish, or the answer does not count: a server that took over has keys
    // that were never replicated.
    protected bool TryAsk(ReadOnlySpan<byte> request, out RespCursor reply)
    {
        var (current, redirections) = (pipeline.Current, (byte)0);
        while (TryAsk(current, request, out reply))
        {
            if (!reply.IsError)
            {
                NoteAnswered();
                return true;
            }

            var refusal = new RedisServerException(Encoding.UTF8.GetString(reply.Content));
            _singlyUntilNs = AnsweredNs + Singly.InNanoseconds;
            // Its slot stays here until all of it has moved.
            if (refusal.Kind != ErrorKind.Ask
                || RequestRetry.After(refusal.Kind, ref redirections) != NextStep.Follow
                || pipeline.TryAskNamed(refusal.Reply) is not { } named)
            {
                throw refusal;
            }

            current = named;
        }

        return false;
    }

    protected static void RequireValue(in RespCursor value)
    {
        if (!value.IsNull && value.Type != RespType.BulkString)
            throw new RedisProtocolException($"a value was asked for, and a reply of type '{(char)value.Type}' came");
    }

    private bool TryAsk(RedisPipeline current, ReadOnlySpan<byte> request, out RespCursor reply)
    {
        current.RequireSilence();
        var asked = MonotonicClock.NowNs();
        current.Send(request);
        Polls++;
        (AskedNs, AnsweredNs) = (asked, asked);
        var timeout = asked + current.ReplyTimeout.InNanoseconds;
        while (!current.TryTake(out reply))
        {
            if (AnsweredNs > UntilNs)
                return false;
            if (AnsweredNs > timeout)
                throw new RedisTimeoutException($"no reply within {current.ReplyTimeout.TotalSeconds:0.###} s");
            current.Receive(MonotonicClock.ToTimestamp(Math.Min(timeout, AnsweredNs + Pacer.LongestNapNs)));
            AnsweredNs = MonotonicClock.NowNs();
        }

        return !pipeline.IsElsewhere;
    }

    private void NoteAnswered()
    {
        if (_unableSinceNs != 0)
            events.Note("able", $"{pipeline.Label}: answers again");
        (_unableSinceNs, _redirections) = (0, 0);
        if (WasSlow)
        {
            events.Note(
                "stalled",
                $"{pipeline.Label}: a poll was answered after {Quantity.Duration(AnsweredNs - AskedNs)} only: the "
                    + "server, the network or this process stood still");
        }
    }

    private void WaitAfter(RedisServerException refusal, NextStep next)
    {
        var now = MonotonicClock.NowNs();
        if (_unableSinceNs == 0)
        {
            _unableSinceNs = now;
            events.Note("unable", $"{pipeline.Label}: {refusal.Message}");
        }

        if (next == NextStep.GiveUp || TimeSpan.FromNanoseconds(now - _unableSinceNs) > options.ReconnectTimeout)
            throw new TargetLostException($"{pipeline.Label}: {refusal.Message}", refusal);
        Pacer.WaitUntil(now + Pause.InNanoseconds);
    }
}
