using System.Net;
using System.Net.Sockets;
using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

public sealed class DatagramTests : IDisposable
{
    private const int Sent = 2000;

    private readonly Witness _witness = new();
    private readonly Socket _far = NewSocket();
    private readonly Socket _near = NewSocket();
    private WanLink? _link;

    [Fact]
    public async Task Fates_AreThoseThatTheReceiverSees()
    {
        Start(new LinkProfile
        {
            Forward = new LinkSettings
            {
                Delay = TimeSpan.FromMilliseconds(1),
                Loss = 0.05,
                Duplicate = 0.04,
                Reorder = 0.03,
                ReorderBy = TimeSpan.FromMilliseconds(2),
            },
        });

        var received = await SendAndReceive();

        var lost = _witness.Count(LinkDirection.Forward, ChunkFate.Lost);
        var duplicates = _witness.Count(LinkDirection.Forward, ChunkFate.Duplicate);
        received.Count.ShouldBe(Sent - lost + duplicates);
        received.Distinct().Count().ShouldBe(Sent - lost);
        Overtaken(received).ShouldBe(_witness.Count(LinkDirection.Forward, ChunkFate.Overtaken));
        lost.ShouldBeInRange(50, 150);
        duplicates.ShouldBeInRange(30, 130);
        _witness.Count(LinkDirection.Forward, ChunkFate.Overtaken).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task WithoutChance_EverythingComesOutOnceInItsOrder()
    {
        Start(new LinkProfile
        {
            Forward = new LinkSettings { Jitter = new Jitter(JitterShape.Uniform, TimeSpan.FromMilliseconds(2)) },
        });

        (await SendAndReceive()).ShouldBe(Enumerable.Range(0, Sent));
    }

    [Fact]
    public async Task Seed_DecidesTheFates()
    {
        var profile = new LinkProfile { Forward = new LinkSettings { Loss = 0.5 } };
        Start(profile);
        var first = await SendAndReceive();
        _link!.Dispose();
        _link = null;
        Start(profile);

        (await SendAndReceive()).ShouldBe(first);
    }

    [Fact]
    public async Task Answers_FindTheirSenders()
    {
        Start(LinkProfile.Of(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(2)));
        using var other = NewSocket();
        var echo = Echo(2);

        await _near.SendToAsync("a"u8.ToArray(), _link!.EntryOf());
        await other.SendToAsync("b"u8.ToArray(), _link.EntryOf());

        (await Receive(_near)).ShouldBe("a"u8.ToArray());
        (await Receive(other)).ShouldBe("b"u8.ToArray());
        await echo;
        _witness.Of(LinkDirection.Back).ShouldAllBe(chunk => chunk.GivenNs >= 2_000_000);
    }

    [Fact]
    public async Task Cut_DropsDatagrams()
    {
        Start(new LinkProfile { Forward = new LinkSettings { Cuts = [new LinkSpan(TimeSpan.Zero, TimeSpan.FromHours(1))] } });

        for (var message = 0; message < 20; message++)
            await _near.SendToAsync(new byte[] { 1 }, _link!.EntryOf());

        await _witness.WaitFor(chunks => chunks.Count == 20);
        _witness.Chunks.ShouldAllBe(chunk => chunk.Fate == ChunkFate.Cut && !chunk.CameOut);
    }

    [Fact]
    public async Task NobodyBehindTheLink_DoesNotEndIt()
    {
        Start(new LinkProfile());
        var port = ((IPEndPoint)_far.LocalEndPoint!).Port;
        _far.Dispose();
        for (var message = 0; message < 10; message++)
            await _near.SendToAsync(new byte[] { 1 }, _link!.EntryOf());
        await _witness.WaitFor(chunks => chunks.Count == 10);

        using var late = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        late.Bind(new IPEndPoint(IPAddress.Loopback, port));
        await _near.SendToAsync(new byte[] { 2 }, _link!.EntryOf());

        (await Receive(late)).ShouldBe([2]);
        _link!.Failure.ShouldBeNull();
    }

    public void Dispose()
    {
        _link?.Dispose();
        _near.Dispose();
        _far.Dispose();
    }

    private void Start(LinkProfile profile) => _link = WanLink.Start(new WanLinkOptions
    {
        Routes = [LinkRoute.Udp((IPEndPoint)_far.LocalEndPoint!)],
        Profile = profile,
        Witness = _witness,
    });

    // Never so many at once that the kernel drops some by itself.
    private async Task<List<int>> SendAndReceive()
    {
        var received = new List<int>();
        var before = _witness.Chunks.Count;
        for (var message = 0; message < Sent; message++)
        {
            await _near.SendToAsync(BitConverter.GetBytes(message), _link!.EntryOf());
            var inside = before + message + 1;
            if (message % 20 == 19)
                await _witness.WaitFor(chunks => Originals(chunks) >= inside - 10);
            Drain(received);
        }

        await _witness.WaitFor(chunks => Originals(chunks) >= before + Sent);
        var expected = _witness.Chunks.Skip(before).Count(chunk => chunk.CameOut);
        while (received.Count < expected)
            received.Add(BitConverter.ToInt32(await Receive(_far)));
        return received;
    }

    private static int Originals(IReadOnlyList<RelayedChunk> chunks) =>
        chunks.Count(chunk => chunk.Fate != ChunkFate.Duplicate);

    private void Drain(List<int> received)
    {
        var buffer = new byte[16];
        while (_far.Available > 0)
        {
            _far.Receive(buffer);
            received.Add(BitConverter.ToInt32(buffer));
        }
    }

    private static int Overtaken(List<int> received)
    {
        var (overtaken, latest, seen) = (0, -1, new HashSet<int>());
        foreach (var one in received)
        {
            if (!seen.Add(one))
                continue;
            if (one < latest)
                overtaken++;
            latest = Math.Max(latest, one);
        }

        return overtaken;
    }

    private async Task Echo(int count)
    {
        var buffer = new byte[16];
        for (var message = 0; message < count; message++)
        {
            var from = await _far.ReceiveFromAsync(buffer, new IPEndPoint(IPAddress.Any, 0));
            await _far.SendToAsync(buffer.AsMemory(0, from.ReceivedBytes), from.RemoteEndPoint);
        }
    }

    private static async Task<byte[]> Receive(Socket socket)
    {
        var buffer = new byte[16];
        var count = await socket.ReceiveAsync(buffer).WaitAsync(LinkTest.AgainstHangs);
        return buffer[..count];
    }

    private static Socket NewSocket()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }
}
