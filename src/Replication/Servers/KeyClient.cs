using System.Diagnostics;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Client;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Servers;

/// <summary>
/// Reads and writes single keys on a connection of its own, at whichever server has them by then. One thread.
/// </summary>
internal sealed class KeyClient(IServerLocator locator, TimeSpan limit, IStopToken stop) : IDisposable
{
    private readonly SideConnection _connection = new(target => target.OpenControl());

    public RespValue Request(params string[] words)
    {
        var began = Stopwatch.GetTimestamp();
        RedisException? loss = null;
        return new Reconnection(limit).TryReach(Ask, stop.Cancellation, out var reply) ? reply : throw loss!;

        RespValue Ask()
        {
            try
            {
                if (loss is not null)
                    locator.Renew();
                return AskPatiently(words, began);
            }
            catch (RedisException problem)
            {
                loss = problem;
                locator.Doubt();
                throw;
            }
        }
    }

    public void Dispose() => _connection.Dispose();

    // Where it is still refused at the limit, the refusal is the answer.
    private RespValue AskPatiently(string[] words, long began)
    {
        var (target, asks, redirections, pauses) = (locator.Require(), false, (byte)0, 0);
        while (true)
        {
            var connection = _connection.To(target);
            if (asks)
                connection.Request("ASKING");
            var reply = connection.Request(RespLimits.List, words);
            if (!reply.IsError)
                return reply;
            var kind = ErrorReply.KindOf(reply.Text);
            var next = RequestRetry.After(kind, ref redirections);
            if (next == NextStep.Follow && locator.NamedBy(reply.Text) is { } named)
            {
                (target, asks) = (named, kind == ErrorKind.Ask);
                if (!asks)
                    locator.Doubt();
            }
            else if (next == NextStep.GiveUp || Stopwatch.GetElapsedTime(began) >= limit
                || stop.Cancellation.WaitHandle.WaitOne(RequestRetry.PauseAfter(pauses++)))
            {
                return reply;
            }
            else
            {
                locator.Renew();
                (target, asks) = (locator.Require(), false);
            }
        }
    }
}
