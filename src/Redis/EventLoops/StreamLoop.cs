using System.Net.Sockets;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Moves the bytes of many connections on one thread; only <see cref="Wake"/> may be called from others. Nothing is
/// allocated per byte moved.
/// </summary>
public abstract class StreamLoop : IDisposable
{
    /// <summary>By which calls it works, for the run record: <c>epoll_pwait2</c>, <c>select</c>.</summary>
    public abstract string Name { get; }

    /// <summary>
    /// Whether the kernel has what is sent when <see cref="Send"/> returns; otherwise
    /// <see cref="IStreamReceiver.Sending"/> says when it is handed over.
    /// </summary>
    public virtual bool SendsAtOnce => true;

    /// <summary>Takes a connected socket in.</summary>
    /// <param name="socket">Stays its owner's, who closes it after <see cref="Remove"/>.</param>
    /// <param name="token">Names it from now on; small, not negative, and of no other connection in this loop.</param>
    public abstract void Add(Socket socket, int token);

    /// <summary>Forgets a connection, and what could not be sent on it yet.</summary>
    public abstract void Remove(int token);

    /// <summary>
    /// Sends bytes. What the kernel does not take now is kept and sent as soon as it does. A connection that turns out
    /// to be broken is told by <see cref="IStreamReceiver.Ended"/>, after what it had still received.
    /// </summary>
    public abstract void Send(int token, ReadOnlySpan<byte> bytes);

    /// <summary>
    /// Waits until bytes come, the time has passed or <see cref="Wake"/> was called; tells what came.
    /// </summary>
    /// <param name="receiver">Is told; it may send, add and remove meanwhile.</param>
    /// <param name="timeoutNs">Nanoseconds to wait; zero only looks, a negative value waits without end.</param>
    /// <returns>How many connections had something to tell.</returns>
    public abstract int Poll(IStreamReceiver receiver, long timeoutNs);

    /// <summary>Ends the present <see cref="Poll"/>, or the next one, from any thread.</summary>
    public abstract void Wake();

    /// <summary>Closes what the loop itself opened; sockets stay open.</summary>
    public abstract void Dispose();
}

/// <summary>What a <see cref="StreamLoop"/> tells its owner, always on the thread that polls it.</summary>
public interface IStreamReceiver
{
    /// <summary>Bytes have come.</summary>
    /// <param name="token">On which connection.</param>
    /// <param name="bytes">At least one; valid until the call returns.</param>
    void Received(int token, ReadOnlySpan<byte> bytes);

    /// <summary>
    /// All that was sent since the last time is handed to the kernel now, in one call; only of loops that do not send
    /// at once. It must not send, add or remove.
    /// </summary>
    void Sending()
    {
    }

    /// <summary>A connection has ended; the loop has forgotten it, and its owner closes it.</summary>
    /// <param name="token">Which connection.</param>
    /// <param name="cause">What the system says, or null where the other side closed in good order.</param>
    void Ended(int token, string? cause);
}
