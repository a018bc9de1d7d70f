using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Servers;

/// <summary>Asks about single keys, on its own connection to wherever their place is by then. One thread.</summary>
internal sealed class KeyQuestions(IServerLocator place, TimeSpan limit, IStopToken stop) : IDisposable
{
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(50);

    private readonly SideConnection _connection = new(target => target.OpenControl());

    public RespValue Request(params string[] words)
    {
        var began = MonotonicClock.NowNs();
        while (true)
        {
            try
            {
                var reply = _connection.To(place.Require()).Request(RespLimits.List, words);
                if (!reply.IsError || ErrorReply.KindOf(reply.Text) != ErrorKind.Moved)
                    return reply;
                throw new RedisConnectionLostException(reply.Text);
            }
            catch (RedisException loss)
            {
                place.Doubt();
                var elapsed = MonotonicClock.NowNs() - began;
                if (!loss.IsTransient || elapsed >= limit.InNanoseconds
                    || stop.WaitUntilRequested(BetweenTries))
                {
                    throw;
                }

                place.Renew();
            }
        }
    }

    public void Dispose() => _connection.Dispose();
}
