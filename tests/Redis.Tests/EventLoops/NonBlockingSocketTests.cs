using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Tests.EventLoops;

public class NonBlockingSocketTests
{
    [Fact]
    public void Receive_TellsNothingBytesAndTheEnd()
    {
        using var pair = new SocketPair();
        using var socket = new NonBlockingSocket(pair.Near);
        var buffer = new byte[16];
        socket.Receive(buffer).ShouldBe(NonBlockingSocket.WouldBlock);
        pair.Far.Send([1, 2, 3]);
        WaitForRead(pair.Near);
        socket.Receive(buffer).ShouldBe(3);
        buffer[..3].ShouldBe([1, 2, 3]);
        pair.Far.Shutdown(SocketShutdown.Both);
        WaitForRead(pair.Near);
        socket.Receive(buffer).ShouldBe(0);
    }

    [Fact]
    public void Receive_AfterAReset_IsBroken()
    {
        using var pair = new SocketPair();
        using var socket = new NonBlockingSocket(pair.Near);
        pair.Far.LingerState = new LingerOption(enable: true, seconds: 0);
        pair.Far.Dispose();
        WaitForRead(pair.Near);
        socket.Receive(new byte[16]).ShouldBe(NonBlockingSocket.Broken);
        socket.LastError.ShouldNotBe(0);
    }

    [Fact]
    public void Send_FillsTheKernelAndThenWouldBlock()
    {
        using var pair = new SocketPair();
        using var socket = new NonBlockingSocket(pair.Near);
        var bytes = new byte[1 << 20];
        var sent = 0L;
        int count;
        while ((count = socket.Send(bytes)) > 0)
            sent += count;
        count.ShouldBe(NonBlockingSocket.WouldBlock);
        var received = 0L;
        while (received < sent)
            received += pair.Far.Receive(bytes);
        received.ShouldBe(sent);
    }

    private static void WaitForRead(Socket socket) =>
        socket.Poll(TimeSpan.FromSeconds(30), SelectMode.SelectRead).ShouldBeTrue();
}
