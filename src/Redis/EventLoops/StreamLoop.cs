using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Moves the bytes of many connections on one thread; only <see cref="Wake"/> may be called from others. It waits until
/// sockets are ready, then calls receive once for each that is. Nothing is allocated per byte moved; everything is
/// received into one buffer, which so stays in the processor's cache however many connections there are.
/// </summary>
public sealed class StreamLoop : IDisposable
{
    private const int EventCapacity = 256;
    private const int BufferLength = 64 << 10;
    private const Readiness Listening = Readiness.Readable | Readiness.EdgeTriggered;

    private readonly ReadinessPoller _poller;
    private readonly bool _isPortable;
    private readonly ReadyEvent[] _events = new ReadyEvent[EventCapacity];
    private readonly byte[] _received = GC.AllocateUninitializedArray<byte>(BufferLength, pinned: true);
    private Entry?[] _entries = new Entry?[64];

    /// <summary>Makes a loop.</summary>
    /// <param name="poller">What waits; the loop owns it.</param>
    public StreamLoop(ReadinessPoller poller)
    {
        ArgumentNullException.ThrowIfNull(poller);
        _poller = poller;
        _isPortable = poller is not EpollPoller;
    }

    /// <summary>By which call it waits, for the run record: <c>epoll_pwait2</c>, <c>select</c>.</summary>
    public string Name => _poller.Name;

    /// <summary>Takes a connected socket in.</summary>
    /// <param name="socket">Stays its owner's, who closes it after <see cref="Remove"/>.</param>
    /// <param name="token">Names it from now on; small, not negative, and of no other connection in this loop.</param>
    public void Add(Socket socket, int token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        if (token >= _entries.Length)
            Array.Resize(ref _entries, Math.Max(token + 1, _entries.Length * 2));
        if (_entries[token] is not null)
            throw new ArgumentException($"The loop has a connection {token} already.", nameof(token));
        _entries[token] = new Entry(new NonBlockingSocket(socket, _isPortable));
        _poller.Add(socket, token, Listening);
    }

    /// <summary>Forgets a connection, and what could not be sent on it yet.</summary>
    public void Remove(int token)
    {
        if (_entries[token] is not { } entry)
            return;
        _entries[token] = null;
        _poller.Remove(entry.Stream.Socket);
    }

    /// <summary>
    /// Sends bytes. What the kernel does not take now is kept and sent as soon as it does. A connection that turns out
    /// to be broken is told by <see cref="IStreamReceiver.Ended"/>, after what it had still received.
    /// </summary>
    public void Send(int token, ReadOnlySpan<byte> bytes)
    {
        if (_entries[token] is not { } entry)
            return;
        if (entry.Unsent.Length > 0)
        {
            entry.Unsent.Append(bytes);
            return;
        }

        var sent = entry.Stream.Send(bytes);
        if (sent == bytes.Length)
            return;
        // A broken connection is readable: the next poll reads what it still holds, and then its end.
        if (sent == NonBlockingSocket.Broken)
            return;
        entry.Unsent.Append(bytes[Math.Max(sent, 0)..]);
        _poller.Change(entry.Stream.Socket, token, Listening | Readiness.Writable);
    }

    /// <summary>
    /// Waits until bytes come, the time has passed or <see cref="Wake"/> was called; tells what came.
    /// </summary>
    /// <param name="receiver">Is told; it may send, add and remove meanwhile.</param>
    /// <param name="timeoutNs">Nanoseconds to wait; zero only looks, a negative value waits without end.</param>
    /// <returns>How many connections had something to tell.</returns>
    public int Poll(IStreamReceiver receiver, long timeoutNs)
    {
        var count = _poller.Wait(_events, timeoutNs);
        for (var index = 0; index < count; index++)
        {
            var ready = _events[index];
            // Whoever was told of an earlier event may have removed this connection.
            if (_entries[ready.Token] is not { } entry)
                continue;
            if ((ready.Readiness & Readiness.Writable) != 0)
                SendRest(entry, ready.Token);
            if ((ready.Readiness & ~Readiness.Writable) != 0)
                Receive(receiver, entry, ready);
        }

        return count;
    }

    /// <summary>Ends the present <see cref="Poll"/>, or the next one, from any thread.</summary>
    public void Wake() => _poller.Wake();

    /// <summary>Closes what the loop itself opened; sockets stay open.</summary>
    public void Dispose() => _poller.Dispose();

    private void Receive(IStreamReceiver receiver, Entry entry, ReadyEvent ready)
    {
        // Less than was asked for means that no more is there: what comes later is an edge of its own. Only the end
        // of the stream may lie behind the last bytes without one.
        var isEnding = (ready.Readiness & (Readiness.Failed | Readiness.Closing)) != 0;
        while (true)
        {
            var count = entry.Stream.Receive(_received);
            if (count <= 0)
            {
                if (count != NonBlockingSocket.WouldBlock)
                    End(receiver, entry, ready.Token, count);
                return;
            }

            receiver.Received(ready.Token, _received.AsSpan(0, count));
            if ((count < _received.Length && !isEnding) || !ReferenceEquals(_entries[ready.Token], entry))
                return;
        }
    }

    private void End(IStreamReceiver receiver, Entry entry, int token, int count)
    {
        Remove(token);
        receiver.Ended(token, count == 0 ? null : Cause(entry.Stream.LastError));
    }

    private string Cause(int error) =>
        _isPortable ? new SocketException(error).Message : Marshal.GetPInvokeErrorMessage(error);

    private void SendRest(Entry entry, int token)
    {
        while (entry.Unsent.Length > 0)
        {
            var sent = entry.Stream.Send(entry.Unsent.Bytes);
            if (sent == NonBlockingSocket.WouldBlock)
                return;
            entry.Unsent.Drop(sent == NonBlockingSocket.Broken ? entry.Unsent.Length : sent);
        }

        _poller.Change(entry.Stream.Socket, token, Listening);
    }

    private sealed class Entry(NonBlockingSocket stream)
    {
        public NonBlockingSocket Stream { get; } = stream;

        public ByteQueue Unsent { get; } = new();
    }
}
