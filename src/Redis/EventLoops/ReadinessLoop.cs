using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Waits until sockets are ready, then calls receive once for each that is. Everything is received into one buffer,
/// which so stays in the processor's cache however many connections there are.
/// </summary>
public sealed class ReadinessLoop : StreamLoop
{
    private const int EventCapacity = 256;
    private const Readiness Listening = Readiness.Readable | Readiness.EdgeTriggered;

    private readonly ReadinessPoller _poller;
    private readonly bool _isPortable;
    private readonly ReadyEvent[] _events = new ReadyEvent[EventCapacity];
    private readonly byte[] _received;
    private Entry?[] _entries = new Entry?[64];

    /// <summary>Makes a loop.</summary>
    /// <param name="poller">What waits; the loop owns it.</param>
    /// <param name="bufferLength">How many bytes one receive takes at most.</param>
    public ReadinessLoop(ReadinessPoller poller, int bufferLength = 64 << 10)
    {
        ArgumentNullException.ThrowIfNull(poller);
        _poller = poller;
        _isPortable = poller is not EpollPoller;
        _received = GC.AllocateUninitializedArray<byte>(bufferLength, pinned: true);
    }

    /// <inheritdoc/>
    public override string Name => _poller.Name;

    /// <inheritdoc/>
    public override void Add(Socket socket, int token)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        if (token >= _entries.Length)
            Array.Resize(ref _entries, Math.Max(token + 1, _entries.Length * 2));
        if (_entries[token] is not null)
            throw new ArgumentException($"The loop has a connection {token} already.", nameof(token));
        _entries[token] = new Entry(new NonBlockingSocket(socket, _isPortable));
        _poller.Add(socket, token, Listening);
    }

    /// <inheritdoc/>
    public override void Remove(int token)
    {
        if (_entries[token] is not { } entry)
            return;
        _entries[token] = null;
        _poller.Remove(entry.Stream.Socket);
    }

    /// <inheritdoc/>
    public override void Send(int token, ReadOnlySpan<byte> bytes)
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

    /// <inheritdoc/>
    public override int Poll(IStreamReceiver receiver, long timeoutNs)
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

    /// <inheritdoc/>
    public override void Wake() => _poller.Wake();

    /// <inheritdoc/>
    public override void Dispose() => _poller.Dispose();

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
