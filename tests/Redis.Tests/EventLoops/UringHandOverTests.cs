using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Tests.EventLoops;

/// <summary>
/// The kernel stops taking entries behind one that is wrong, as it does where it lacks memory: so a hand-over is
/// planted that takes only a part.
/// </summary>
public sealed class UringHandOverTests
{
    private const byte NoOperation = 255;

    [Fact]
    public void BytesThatTheKernelDidNotTake_AreKept_AndWhatComesLaterFollows()
    {
        using var loop = Create();
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 0);
        loop.Poll(record, 0);
        for (var turn = 0; turn < 3; turn++)
        {
            Spoil(loop);
            loop.Send(0, "one"u8);
            loop.Poll(record, 0);
            loop.Send(0, "two"u8);
            loop.Poll(record, 0);
            loop.Send(0, "three"u8);
            loop.Poll(record, 0);

            System.Text.Encoding.UTF8.GetString(Read(pair.Far, 11)).ShouldBe("onetwothree");
        }

        loop.Remove(0);
    }

    [Fact]
    public async Task WhatWasTakenInTheMiddleOfARound_IsNotOverwritten_UntilItsAnswerIsRead()
    {
        using var loop = Create();
        using var pair = new SocketPair();
        using var other = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 0);
        loop.Add(other.Near, 1);
        loop.Poll(record, 0);
        var first = new byte[8 << 20];
        new Random(1).NextBytes(first);

        // Too much for the socket's buffer: the kernel's answer is how much it took. It comes with the next round.
        Spoil(loop);
        loop.Send(0, first);
        loop.Poll(record, 0);
        loop.Remove(1);
        loop.Send(0, "rest"u8);
        var reading = Task.Run(() => Read(pair.Far, first.Length + 4), TestContext.Current.CancellationToken);
        while (!reading.IsCompleted)
            loop.Poll(record, 10_000_000);

        (await reading).SequenceEqual<byte>([.. first, .. "rest"u8]).ShouldBeTrue();
        loop.Remove(0);
    }

    [Fact]
    public void EntryOfARemovedConnection_ThatTheKernelDidNotTake_ReachesNoOther()
    {
        using var loop = Create();
        var record = new StreamRecord();
        loop.Poll(record, 0);
        for (var turn = 0; turn < 20; turn++)
        {
            var gone = new SocketPair();
            loop.Add(gone.Near, 1);
            if (turn % 2 == 0)
                loop.Poll(record, 0);
            Spoil(loop);
            loop.Send(1, [9]);
            loop.Remove(1);
            gone.Dispose();

            // The system gives the lowest free descriptor: the one that was just closed.
            using var next = new SocketPair();
            loop.Add(next.Near, 2);
            loop.Send(2, [7]);
            loop.Poll(record, 0);
            Read(next.Far, 1).ShouldBe([7]);
            next.Far.Send([5]);
            while (record.Count(2) <= turn)
                loop.Poll(record, 10_000_000);
            loop.Remove(2);
        }

        record.Ends.ShouldBeEmpty();
        record.Count(1).ShouldBe(0);
    }

    [Fact]
    public void Sending_IsTold_BeforeTheKernelHasTheBytes()
    {
        using var loop = Create();
        using var pair = new SocketPair();
        var told = new List<int>();
        var record = new StreamRecord { WhenSending = () => told.Add(pair.Far.Available) };
        loop.Add(pair.Near, 0);
        loop.Poll(record, 0);

        loop.Send(0, [1, 2, 3]);
        loop.Send(0, [4]);
        told.ShouldBeEmpty();
        loop.Poll(record, 0);
        loop.Poll(record, 0);

        told.ShouldBe([0]);
        Read(pair.Far, 4).ShouldBe([1, 2, 3, 4]);
        loop.Remove(0);
    }

    private static UringLoop Create()
    {
        Assert.SkipWhen(UringLoop.Missing is not null, UringLoop.Missing ?? string.Empty);
        return new UringLoop();
    }

    private static unsafe void Spoil(UringLoop loop)
    {
        var entry = loop.Queues!.Next();
        entry->Operation = NoOperation;
        entry->Token = (ulong)RingWork.Cancel;
    }

    private static byte[] Read(Socket socket, int length)
    {
        socket.ReceiveTimeout = 60_000;
        var bytes = new byte[length];
        for (var read = 0; read < length;)
        {
            var count = socket.Receive(bytes.AsSpan(read));
            count.ShouldBeGreaterThan(0);
            read += count;
        }

        return bytes;
    }
}
