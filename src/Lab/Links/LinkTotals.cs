using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>Sums up what a link really does. Written by the link's thread; read after its end.</summary>
internal sealed class LinkTotals(ILinkWitness? next) : ILinkWitness
{
    public WayTotals Forward { get; } = new();

    public WayTotals Back { get; } = new();

    public void Saw(in RelayedChunk chunk)
    {
        (chunk.Direction == LinkDirection.Forward ? Forward : Back).Add(chunk);
        next?.Saw(chunk);
    }
}
