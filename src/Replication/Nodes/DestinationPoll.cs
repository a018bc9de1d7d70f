using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// Polls a destination: one request at a time. Waits while a server that is reached refuses to be read, as long as it
/// may recover. One thread, but for Finish.
/// </summary>
internal sealed class DestinationPoll(LastingPipeline pipeline, TimeSpan limit, SessionEvents events)
{
    private const long SlowAnswerNs = 500_000_000;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    private long _unableSinceNs;
    private long _untilNs = long.MaxValue;

    public long Count { get; private set; }
    public long AskedNs { get; private set; }
    public long AnsweredNs { get; private set; }

    public long UntilNs => Volatile.Read(ref _untilNs);

    public bool WasSlow => AnsweredNs - AskedNs > SlowAnswerNs;

    public void Finish(long untilNs) => Volatile.Write(ref _untilNs, untilNs);

    // False where no answer came until it was to finish, or the answer does not count: a server that took over has keys
    // that were never replicated.
    public bool TryAsk(ReadOnlySpan<byte> request, out RespCursor reply)
    {
        var current = pipeline.Current;
        var asked = MonotonicClock.NowNs();
        current.Send(request);
        Count++;
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

        if (pipeline.IsElsewhere)
            return false;
        if (reply.IsError)
            throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
        if (_unableSinceNs != 0)
            events.Note("able", $"{pipeline.Label}: answers again");
        _unableSinceNs = 0;
        if (WasSlow)
        {
            events.Note(
                "stalled",
                $"{pipeline.Label}: a poll was answered after {Quantity.Duration(AnsweredNs - AskedNs)} only: the "
                    + "server, the network or this process stood still");
        }

        return true;
    }

    public void WaitAfter(RedisServerException refusal)
    {
        var now = MonotonicClock.NowNs();
        if (_unableSinceNs == 0)
        {
            _unableSinceNs = now;
            events.Note("unable", $"{pipeline.Label}: {refusal.Message}");
        }

        if (!refusal.IsTransient || TimeSpan.FromNanoseconds(now - _unableSinceNs) > limit)
            throw new TargetLostException($"{pipeline.Label}: {refusal.Message}", refusal);
        Pacer.WaitUntil(now + Pause.InNanoseconds);
    }
}
