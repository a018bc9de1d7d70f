using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// The portable poller, by <see cref="Socket.Select(System.Collections.IList, System.Collections.IList,
/// System.Collections.IList, TimeSpan)"/>: microseconds, and its cost grows with the sockets registered.
/// </summary>
public sealed class SelectPoller : ReadinessPoller
{
    /// <summary>
    /// Select takes microseconds as an int; a wait that ends without an event may simply be repeated.
    /// </summary>
    private const long LongestNs = 1_800_000_000_000;

    private readonly Dictionary<Socket, (int Token, Readiness Interest)> _registered = [];
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];
    private readonly List<Socket> _failed = [];
    private readonly List<ReadyEvent> _found = [];
    private readonly Socket _wake = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private int _reported;

    /// <summary>Opens the loopback socket that wakes it.</summary>
    /// <exception cref="SocketException">The system refused.</exception>
    public SelectPoller()
    {
        _wake.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _wake.Connect(_wake.LocalEndPoint!);
        _wake.Blocking = false;
    }

    /// <inheritdoc/>
    public override string Name => "select";

    /// <inheritdoc/>
    public override void Add(Socket socket, int token, Readiness interest)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(token);
        _registered.Add(socket, (token, interest));
    }

    /// <inheritdoc/>
    public override void Change(Socket socket, int token, Readiness interest) =>
        _registered[socket] = (token, interest);

    /// <inheritdoc/>
    public override void Remove(Socket socket)
    {
        if (_registered.Remove(socket, out var registration))
            _found.RemoveAll(ready => ready.Token == registration.Token);
    }

    /// <inheritdoc/>
    public override int Wait(Span<ReadyEvent> events, long timeoutNs)
    {
        // Sockets that did not fit are told before any is asked again: else the first registered starve the others.
        if (_reported >= _found.Count)
            Select(timeoutNs);
        var count = Math.Min(events.Length, Math.Max(_found.Count - _reported, 0));
        for (var index = 0; index < count; index++)
            events[index] = _found[_reported++];
        return count;
    }

    /// <inheritdoc/>
    public override void Wake()
    {
        try
        {
            _wake.Send([1]);
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
        {
            // Enough wake-ups are waiting to be read.
        }
    }

    /// <inheritdoc/>
    public override void Dispose() => _wake.Dispose();

    private void Select(long timeoutNs)
    {
        _found.Clear();
        _reported = 0;
        _readable.Clear();
        _writable.Clear();
        _failed.Clear();
        _readable.Add(_wake);
        foreach (var (socket, (_, interest)) in _registered)
        {
            if ((interest & Readiness.Readable) != 0)
                _readable.Add(socket);
            if ((interest & Readiness.Writable) != 0)
                _writable.Add(socket);
            if (interest != Readiness.None)
                _failed.Add(socket);
        }

        // Rounded up to whole microseconds: a wait must not end before its time again and again.
        var limitNs = timeoutNs < 0 ? LongestNs : Math.Min(timeoutNs, LongestNs);
        Socket.Select(_readable, _writable, _failed, TimeSpan.FromMicroseconds((limitNs + 999) / 1000));
        foreach (var socket in _failed)
            Find(socket, Readiness.Readable | Readiness.Failed);
        foreach (var socket in _readable)
        {
            if (ReferenceEquals(socket, _wake))
                ClearWake();
            else
                Find(socket, Readiness.Readable);
        }

        foreach (var socket in _writable)
            Find(socket, Readiness.Writable);
    }

    private void Find(Socket socket, Readiness readiness)
    {
        var token = _registered[socket].Token;
        for (var index = 0; index < _found.Count; index++)
        {
            if (_found[index].Token == token)
            {
                _found[index] = new ReadyEvent(token, _found[index].Readiness | readiness);
                return;
            }
        }

        _found.Add(new ReadyEvent(token, readiness));
    }

    private void ClearWake()
    {
        Span<byte> ignored = stackalloc byte[16];
        while (_wake.Available > 0)
            _wake.Receive(ignored);
    }
}
