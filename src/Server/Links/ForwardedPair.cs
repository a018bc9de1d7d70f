using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Links;

/// <summary>
/// Two in-process servers, the second of which is told of the first one's writes through a long line: a primary and its
/// replica in miniature. Everything that reads the second goes to it directly.
/// </summary>
public sealed class ForwardedPair : IDisposable
{
    private readonly InProcessServer _destination;
    private readonly WanLink _link;
    private readonly WriteForwarder _forwarder;
    private readonly InProcessServer _source;

    private ForwardedPair(LinkProfile profile, ILinkObserver? witness)
    {
        _destination = InProcessServer.Start();
        _link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, _destination.Port))],
            Profile = profile,
            Witness = witness,
        });
        _forwarder = WriteForwarder.Start(new IPEndPoint(IPAddress.Loopback, _link.PortOf()));
        _source = InProcessServer.Start(new InProcessServerOptions { WriteWitness = _forwarder });
    }

    /// <summary>Where to write, as users type it.</summary>
    public string Source => _source.Endpoint;

    /// <summary>Where to read.</summary>
    public string Destination => _destination.Endpoint;

    /// <summary>Starts both; they are joined when this returns.</summary>
    /// <param name="profile">What the line between them does; forward is from the source to the destination.</param>
    /// <param name="witness">Who is told what the line really did; null for nobody.</param>
    /// <exception cref="SocketException">This process may not listen on the loopback.</exception>
    public static ForwardedPair Start(LinkProfile profile, ILinkObserver? witness = null) => new(profile, witness);

    /// <summary>Ends all of it.</summary>
    public void Dispose()
    {
        _source.Dispose();
        _forwarder.Dispose();
        _link.Dispose();
        _destination.Dispose();
    }
}

/// <summary>
/// Sends the writes of one server to another, as they come and in their order: what a replica link does once both hold
/// the same, and nothing more. There is no first copy, no acknowledgement, no coming back: it is for a pair of empty
/// servers in one process.
/// </summary>
internal sealed class WriteForwarder : IWriteObserver, IDisposable
{
    private readonly BlockingCollection<byte[]> _writes = [];
    private readonly RespWriter _request = new();
    private readonly Socket _socket;
    private readonly Thread _sending;
    private readonly Thread _receiving;

    private WriteForwarder(Socket socket)
    {
        _socket = socket;
        _sending = new Thread(Send) { IsBackground = true, Name = "forwarder" };
        _receiving = new Thread(DropReplies) { IsBackground = true, Name = "forwarder-replies" };
    }

    public static WriteForwarder Start(IPEndPoint to)
    {
        var socket = new Socket(to.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            socket.Connect(to);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        var forwarder = new WriteForwarder(socket);
        forwarder._sending.Start();
        forwarder._receiving.Start();
        return forwarder;
    }

    public void Saw(RespRequestReader words)
    {
        _request.Clear();
        _request.WriteArrayHeader(words.Count);
        for (var i = 0; i < words.Count; i++)
            _request.WriteBulkString(words[i]);
        _writes.Add(_request.Written.ToArray());
    }

    public void Dispose()
    {
        _writes.CompleteAdding();
        _socket.Dispose();
        _sending.Join();
        _receiving.Join();
        _writes.Dispose();
    }

    private void Send()
    {
        try
        {
            foreach (var write in _writes.GetConsumingEnumerable())
                _socket.Send(write);
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            // The other server has ended, or this has.
        }
    }

    private void DropReplies()
    {
        var buffer = new byte[4096];
        try
        {
            while (_socket.Receive(buffer) > 0)
            {
            }
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            // The other server has ended, or this has.
        }
    }
}
