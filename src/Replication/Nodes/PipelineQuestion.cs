using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Nodes;

/// <summary>A single question on a pipeline that nothing else is under way on.</summary>
internal static class PipelineQuestion
{
    /// <summary>Asks, and waits until it was granted.</summary>
    /// <exception cref="RedisException">It was not.</exception>
    public static void Ask(this RedisPipeline pipeline, params ReadOnlySpan<string> words)
    {
        var request = new RespWriter();
        request.WriteRequest(words);
        pipeline.Send(request.Written);
        var deadline = MonotonicClock.NowNs() + (pipeline.ReplyTimeout.Ticks * TimeSpan.NanosecondsPerTick);
        while (true)
        {
            if (pipeline.TryTakeAny(out var reply))
            {
                if (reply.IsError)
                    throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
                return;
            }

            if (MonotonicClock.NowNs() > deadline)
                throw new RedisTimeoutException($"{words[0]} was not answered.");
            pipeline.Receive(MonotonicClock.ToTimestamp(deadline));
        }
    }
}
