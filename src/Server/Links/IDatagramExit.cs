using RedisLatency.Server.Delays;

namespace RedisLatency.Server.Links;

internal interface IDatagramExit
{
    bool TrySend(LinkDirection direction, ReadOnlySpan<byte> datagram);
}
