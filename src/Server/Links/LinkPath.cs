namespace RedisLatency.Server.Links;

/// <summary>A route in service, on the link's thread.</summary>
internal abstract class LinkPath(LinkLoop loop, int index, LinkRoute route) : IDisposable
{
    /// <summary>Which of the link's routes, from zero.</summary>
    public int Index => index;

    /// <summary>The port that it listens on.</summary>
    public abstract int Port { get; }

    public SocketTable Sockets => loop.Sockets;

    protected LinkLoop Loop => loop;

    protected LinkRoute Route => route;

    /// <summary>Lets everything in.</summary>
    public abstract void Begin();

    /// <summary>A way has been cut.</summary>
    public abstract void Cut();

    /// <summary>No way is cut any more.</summary>
    public abstract void Join();

    /// <summary>The link ends: nothing gets in or out any more.</summary>
    public abstract void End();

    public abstract void Dispose();

    public void Tell(in RelayedChunk chunk) => loop.Options.Witness?.Saw(chunk);
}
