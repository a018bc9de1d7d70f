using System.Net.Sockets;
using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

public sealed class ConnectionTests
{
    private static readonly LinkProfile Short = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(2));

    [Fact]
    public async Task LargeTransfers_ArriveByteForByteBothWays()
    {
        using var test = new LinkTest(Short);
        var (near, far) = await test.Connect();
        var (there, back) = (RandomBytes(8_000_003, 1), RandomBytes(5_000_011, 2));

        var sending = Task.WhenAll(Send(near, there), Send(far, back));
        var received = await Task.WhenAll(
            LinkTest.ReadExactly(far, there.Length), LinkTest.ReadExactly(near, back.Length));
        await sending;

        received[0].AsSpan().SequenceEqual(there).ShouldBeTrue();
        received[1].AsSpan().SequenceEqual(back).ShouldBeTrue();
    }

    [Fact]
    public async Task HalfClose_ComesOutAfterTheLastByteAndLeavesTheOtherWayOpen()
    {
        using var test = new LinkTest(Short);
        var (near, far) = await test.Connect();

        await near.SendAsync(RandomBytes(100_000, 3));
        near.Shutdown(SocketShutdown.Send);
        var arrived = await LinkTest.ReadToEnd(far);
        await LinkTest.Pass(far, near);
        far.Shutdown(SocketShutdown.Send);

        arrived!.ShouldBe(RandomBytes(100_000, 3));
        (await LinkTest.ReadToEnd(near)).ShouldBe([]);
    }

    [Fact]
    public async Task Reset_ComesOutAsAReset()
    {
        using var test = new LinkTest(Short);
        var (near, far) = await test.Connect();
        await LinkTest.Pass(near, far);

        near.LingerState = new LingerOption(enable: true, seconds: 0);
        near.Dispose();

        (await LinkTest.ReadToEnd(far)).ShouldBeNull();
    }

    [Fact]
    public async Task ReceiverThatGoesAway_ResetsTheSender()
    {
        using var test = new LinkTest(Short);
        var (near, far) = await test.Connect();
        await LinkTest.Pass(near, far);

        far.LingerState = new LingerOption(enable: true, seconds: 0);
        far.Dispose();

        (await LinkTest.ReadToEnd(near)).ShouldBeNull();
    }

    [Fact]
    public async Task ManyConnections_KeepTheirBytesApart()
    {
        using var test = new LinkTest(Short);
        var pairs = new List<(Socket Near, Socket Far)>();
        for (var index = 0; index < 200; index++)
            pairs.Add(await test.Connect());

        await Task.WhenAll(pairs.Select((pair, index) => Exchange(pair, index)));

        test.Witness.Chunks.Select(chunk => chunk.Connection).Distinct().Count().ShouldBe(200);
    }

    [Fact]
    public async Task SlowReader_StopsItsSender()
    {
        const int bound = 256 << 10;
        using var test = new LinkTest(new LinkProfile(), bound);
        var (near, far) = await test.Connect();
        var all = RandomBytes(32 << 20, 4);

        var sending = Send(near, all);

        // The kernel's buffers and the link's are full; what has come out of the link is far from all.
        await test.Witness.WaitFor(chunks => chunks.Count > 0);
        sending.IsCompleted.ShouldBeFalse();
        var received = await LinkTest.ReadExactly(far, all.Length);
        await sending;
        received.AsSpan().SequenceEqual(all).ShouldBeTrue();
    }

    [Fact]
    public async Task SmallestBuffer_StillCarriesEverything()
    {
        using var test = new LinkTest(Short, maxBuffered: 1000);
        var (near, far) = await test.Connect();
        var all = RandomBytes(50_000, 5);

        var sending = Send(near, all);

        (await LinkTest.ReadExactly(far, all.Length)).ShouldBe(all);
        await sending;
    }

    [Fact]
    public async Task NobodyBehindTheLink_ResetsTheConnection()
    {
        using var test = new LinkTest(Short);
        test.StopListening();
        var near = test.NewSocket();

        // The reset may be there before the connection is known to have been made.
        var reset = await Should.ThrowAsync<SocketException>(async () =>
        {
            await near.ConnectAsync(test.Link.EntryOf());
            await near.ReceiveAsync(new byte[1]).WaitAsync(LinkTest.AgainstHangs);
        });

        reset.SocketErrorCode.ShouldBe(SocketError.ConnectionReset);
    }

    [Fact]
    public async Task EndOfTheLink_ResetsConnectionsAndTellsWhatWasInside()
    {
        using var test = new LinkTest(LinkProfile.Symmetric(TimeSpan.FromHours(1)));
        var (near, far) = await test.Connect();
        await near.SendAsync(new byte[] { 1, 2, 3 });
        await far.SendAsync(new byte[] { 4 });
        near.Shutdown(SocketShutdown.Send);

        test.Link.Dispose();

        (await LinkTest.ReadToEnd(far)).ShouldBeNull();
        test.Witness.Chunks.ShouldAllBe(chunk => chunk.Fate == ChunkFate.Cut && !chunk.CameOut);
    }

    [Fact]
    public async Task Cut_ResetsAndRefuses()
    {
        var cut = new LinkSpan(TimeSpan.FromMilliseconds(300), TimeSpan.FromHours(1));
        using var test = new LinkTest(new LinkProfile { Back = new LinkSettings { Cuts = [cut] } });
        var (near, _) = await test.Connect();

        (await LinkTest.ReadToEnd(near)).ShouldBeNull();
        var refusal = await Should.ThrowAsync<SocketException>(() => TryConnect(test));

        refusal.SocketErrorCode.ShouldBe(SocketError.ConnectionRefused);
    }

    [Fact]
    public async Task EndOfACut_LetsConnectionsInAgain()
    {
        var cut = new LinkSpan(TimeSpan.Zero, TimeSpan.FromMilliseconds(300));
        using var test = new LinkTest(new LinkProfile { Forward = new LinkSettings { Cuts = [cut] } });

        for (var isIn = false; !isIn;)
        {
            try
            {
                await TryConnect(test);
                isIn = true;
            }
            catch (SocketException failure)
            {
                failure.SocketErrorCode.ShouldBeOneOf(SocketError.ConnectionRefused, SocketError.ConnectionReset);
            }
        }
    }

    private static Task TryConnect(LinkTest test) =>
        test.NewSocket().ConnectAsync(test.Link.EntryOf()).WaitAsync(LinkTest.AgainstHangs);

    private static async Task Exchange((Socket Near, Socket Far) pair, int index)
    {
        var (there, back) = (RandomBytes(5000, index), RandomBytes(3000, -index));
        await Send(pair.Near, there);
        (await LinkTest.ReadExactly(pair.Far, there.Length)).ShouldBe(there);
        await Send(pair.Far, back);
        (await LinkTest.ReadExactly(pair.Near, back.Length)).ShouldBe(back);
    }

    private static async Task Send(Socket socket, byte[] bytes)
    {
        for (var sent = 0; sent < bytes.Length;)
            sent += await socket.SendAsync(bytes.AsMemory(sent)).AsTask().WaitAsync(LinkTest.AgainstHangs);
    }

    private static byte[] RandomBytes(int count, int seed)
    {
        var bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
