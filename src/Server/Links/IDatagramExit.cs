using RedisLatency.Server.Delays;

namespace RedisLatency.Server.Links;

/// <summary>Where datagrams of one way come out.</summary>
internal interface IDatagramExit
{
    /// <summary>Sends one; false where the system did not take it.</summary>
    bool TrySend(LinkDirection direction, ReadOnlySpan<byte> datagram);
}
