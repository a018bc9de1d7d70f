namespace RedisLatency.Server.Links;

internal abstract class LinkPath(WanLink link, int index, LinkRoute route) : IDisposable
{
    public int Index => index;

    public abstract int Port { get; }

    public SocketTable Sockets => link.Sockets;

    protected WanLink Link => link;

    protected LinkRoute Route => route;

    public abstract void Begin();

    /// <summary>Of datagrams a cut drops what arrives and what is due, one way alone: each asks for itself.</summary>
    public virtual void Cut()
    {
    }

    public virtual void Join()
    {
    }

    public virtual void End()
    {
    }

    public abstract void Dispose();

    public void Tell(in RelayedChunk chunk) => link.Options.Witness?.Saw(chunk);
}
