using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Server.Links;

internal sealed class TcpRoute : LinkPath, IReadyHandler
{
    private readonly Listener _listener;
    private readonly int _token;
    private readonly HashSet<TcpRelay> _relays = [];

    public TcpRoute(WanLink link, int index, LinkRoute route)
        : base(link, index, route)
    {
        _listener = new Listener(
            new InProcessServerOptions { Address = route.Listen.Address, Port = route.Listen.Port });
        _listener.Open();
        _token = Sockets.Register(this);
    }

    public override int Port => _listener.Port;

    public override void Begin() => Join();

    public override void Join()
    {
        _listener.Open();
        Sockets.Watch(_listener.Socket!, _token, Readiness.None, Readiness.Readable);
    }

    public override void Cut()
    {
        // In this order, so that whoever is reset cannot come in again.
        if (_listener.Socket is { } socket)
        {
            Sockets.Watch(socket, _token, Readiness.Readable, Readiness.None);
            _listener.Close();
        }

        ResetAll();
    }

    public override void End()
    {
        _listener.Dispose();
        ResetAll();
    }

    public void Ready(Readiness readiness)
    {
        while (_listener.Accept() is { } socket)
            Admit(socket);
    }

    public TcpFlow CreateFlow(TcpRelay relay, LinkDirection direction, int number) =>
        new(relay, direction, Link.CreateLine(direction, number), Link.Options.MaxBuffered, Link.Due);

    public void Forget(TcpRelay relay) => _relays.Remove(relay);

    public override void Dispose() => _listener.Dispose();

    private void ResetAll()
    {
        foreach (var relay in _relays.ToArray())
            relay.Close(isReset: true);
    }

    private void Admit(Socket near)
    {
        var far = new Socket(Route.To.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        try
        {
            far.Connect(Route.To);
        }
        catch (SocketException failure)
            when (failure.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            // Being made; the poller tells when it is.
        }
        catch (SocketException)
        {
            TcpEnd.Reset(near);
            near.Dispose();
            far.Dispose();
            return;
        }

        var relay = new TcpRelay(this, Link.NextConnection(), near, far);
        _relays.Add(relay);
        relay.Start();
    }
}
