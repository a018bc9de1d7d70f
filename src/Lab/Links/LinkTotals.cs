using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>Sums up what a link really does. Written by the link's thread; read after its end.</summary>
internal sealed class LinkTotals(ILinkObserver? next) : ILinkObserver
{
    public DirectionTotals Forward { get; } = new();

    public DirectionTotals Back { get; } = new();

    public void Saw(in RelayedChunk chunk)
    {
        (chunk.Direction == LinkDirection.Forward ? Forward : Back).Add(chunk);
        next?.Saw(chunk);
    }
}
