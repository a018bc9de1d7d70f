using System.Net;
using System.Net.Sockets;
using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

/// <summary>A link on the loopback, a listener behind it, and connections through it.</summary>
internal sealed class LinkTest : IDisposable
{
    public static readonly TimeSpan AgainstHangs = TimeSpan.FromSeconds(60);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<IDisposable> _owned = [];

    public LinkTest(LinkProfile profile, int maxBuffered = 4 << 20)
    {
        _listener.Start();
        Link = Own(WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp((IPEndPoint)_listener.LocalEndpoint)],
            Profile = profile,
            Witness = Witness,
            MaxBuffered = maxBuffered,
        }));
    }

    public Witness Witness { get; } = new();

    public WanLink Link { get; }

    /// <summary>A connection through the link: the end that asked for it, and the end it led to.</summary>
    public async Task<(Socket Near, Socket Far)> Connect()
    {
        var near = Own(NewSocket());
        var accepting = _listener.AcceptSocketAsync();
        await near.ConnectAsync(Link.EntryOf()).WaitAsync(AgainstHangs);
        var far = Own(await accepting.WaitAsync(AgainstHangs));
        far.NoDelay = true;
        return (near, far);
    }

    public Socket NewSocket() =>
        Own(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true });

    /// <summary>Nobody listens behind the link any more.</summary>
    public void StopListening() => _listener.Stop();

    /// <summary>Sends one byte and waits until it is there: a chunk by itself.</summary>
    public static async Task Pass(Socket from, Socket to, byte value = 1)
    {
        await from.SendAsync(new[] { value }).WaitAsync(AgainstHangs);
        (await ReadExactly(to, 1)).ShouldBe([value]);
    }

    public static async Task<byte[]> ReadExactly(Socket socket, int count)
    {
        var bytes = new byte[count];
        for (var read = 0; read < count;)
        {
            var more = await socket.ReceiveAsync(bytes.AsMemory(read)).AsTask().WaitAsync(AgainstHangs);
            more.ShouldBeGreaterThan(0, $"The stream ended after {read} of {count} bytes.");
            read += more;
        }

        return bytes;
    }

    /// <summary>Reads to the end; null where the connection was reset.</summary>
    public static async Task<byte[]?> ReadToEnd(Socket socket)
    {
        using var all = new MemoryStream();
        var buffer = new byte[64 << 10];
        try
        {
            while (await socket.ReceiveAsync(buffer).WaitAsync(AgainstHangs) is var count and > 0)
                all.Write(buffer, 0, count);
            return all.ToArray();
        }
        catch (SocketException failure) when (failure.SocketErrorCode == SocketError.ConnectionReset)
        {
            return null;
        }
    }

    public void Dispose()
    {
        for (var index = _owned.Count - 1; index >= 0; index--)
            _owned[index].Dispose();
        _listener.Dispose();
    }

    private T Own<T>(T disposable)
        where T : IDisposable
    {
        _owned.Add(disposable);
        return disposable;
    }
}
