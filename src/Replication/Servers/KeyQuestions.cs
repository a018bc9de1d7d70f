using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Servers;

/// <summary>Asks about single keys, on its own connection to wherever their place is by then. One thread.</summary>
internal sealed class KeyQuestions(IServerLocator place, TimeSpan limit, IStopToken stop) : IDisposable
{
    private readonly SideConnection _connection = new(target => target.OpenControl());

    public RespValue Request(params string[] words)
    {
        RedisException? loss = null;
        return new Reconnection(limit).TryReach(Ask, stop.Cancellation, out var reply) ? reply : throw loss!;

        RespValue Ask()
        {
            try
            {
                if (loss is not null)
                    place.Renew();
                var reply = _connection.To(place.Require()).Request(RespLimits.List, words);
                return reply.IsError && ErrorReply.KindOf(reply.Text) == ErrorKind.Moved
                    ? throw new RedisConnectionLostException(reply.Text)
                    : reply;
            }
            catch (RedisException problem)
            {
                loss = problem;
                place.Doubt();
                throw;
            }
        }
    }

    public void Dispose() => _connection.Dispose();
}
