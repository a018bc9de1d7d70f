namespace RedisLatency.Server.Links;

/// <summary>Is told what a link really does.</summary>
public interface ILinkObserver
{
    /// <summary>Something came out, or never will. Called on the link's thread, which must not be kept.</summary>
    void Saw(in RelayedChunk chunk);
}
