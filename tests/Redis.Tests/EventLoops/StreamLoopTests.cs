using System.Diagnostics;
using System.Net.Sockets;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Tests.EventLoops;

public sealed class StreamLoopTests
{
    private const long TickNs = 100_000_000;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static TheoryData<string> Kinds => ["epoll", "select"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Bytes_OfSeveralConnections_ArriveInOrder(string kind)
    {
        using var loop = Create(kind);
        var pairs = Enumerable.Range(0, 5).Select(_ => new SocketPair()).ToArray();
        var record = new StreamRecord();
        for (var token = 0; token < pairs.Length; token++)
            loop.Add(pairs[token].Near, token);

        for (byte round = 0; round < 50; round++)
        {
            foreach (var pair in pairs)
                pair.Far.Send([round, round]);
            PollUntil(loop, record, () => pairs.Index().All(pair => record.Count(pair.Index) == 2 * (round + 1)));
        }

        foreach (var token in Enumerable.Range(0, pairs.Length))
            record.Bytes[token].ShouldBe(Enumerable.Range(0, 100).Select(place => (byte)(place / 2)));
        Dispose(loop, pairs);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task MoreThanTheKernelTakes_IsSentAsTheOtherSideReads_AndWhatComesMeanwhileFollows(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 3);
        loop.Poll(record, 0);
        var first = new byte[8 << 20];
        new Random(1).NextBytes(first);
        loop.Send(3, first);
        loop.Poll(record, 0);
        loop.Send(3, [1, 2, 3]);
        loop.Send(3, [4]);

        var reading = Task.Run(() => ReadWhole(pair.Far, first.Length + 4), TestContext.Current.CancellationToken);
        PollUntil(loop, record, () => reading.IsCompleted);

        (await reading).ShouldBe([.. first, 1, 2, 3, 4]);
        loop.Remove(3);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void SendsOfOneRound_AreAllSent(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 0);
        for (var round = 0; round < 20; round++)
        {
            for (var part = 0; part < 40; part++)
                loop.Send(0, new byte[100]);
            loop.Poll(record, 0);
        }

        ReadWhole(pair.Far, 20 * 40 * 100).Length.ShouldBe(80_000);
        loop.Remove(0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void LastBytes_ComeBeforeTheEnd(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 1);
        pair.Far.Send(new byte[200_000]);
        pair.Far.Shutdown(SocketShutdown.Send);

        PollUntil(loop, record, () => record.Ends.Count > 0);

        record.Count(1).ShouldBe(200_000);
        record.Ends.ShouldBe([(1, null)]);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ResetConnection_EndsWithACause(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 1);
        loop.Poll(record, 0);
        pair.Far.LingerState = new LingerOption(true, 0);
        pair.Far.Close();

        PollUntil(loop, record, () => record.Ends.Count > 0);

        record.Ends.Single().Cause.ShouldNotBeNull();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void SendOnAConnectionThatIsGone_IsToldOnceByItsEnd(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord();
        loop.Add(pair.Near, 1);
        loop.Poll(record, 0);
        pair.Far.LingerState = new LingerOption(true, 0);
        pair.Far.Close();
        loop.Send(1, [1]);
        loop.Send(1, [2]);

        PollUntil(loop, record, () => record.Ends.Count > 0);
        loop.Send(1, [3]);
        loop.Poll(record, 0);

        record.Ends.Count.ShouldBe(1);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void RemovedConnection_IsSilent_AndItsTokenServesAgain(string kind)
    {
        using var loop = Create(kind);
        using var old = new SocketPair();
        using var other = new SocketPair();
        var record = new StreamRecord();
        loop.Add(old.Near, 7);
        loop.Poll(record, 0);
        old.Far.Send([1]);

        loop.Remove(7);
        old.Near.Dispose();
        loop.Add(other.Near, 7);
        other.Far.Send([2]);

        PollUntil(loop, record, () => record.Count(7) > 0);
        record.Bytes[7].ShouldBe([2]);
        ReadToEnd(old.Far).ShouldBeTrue();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void WhatWasToBeSentOnARemovedConnection_ReachesNoOther(string kind)
    {
        using var loop = Create(kind);
        var record = new StreamRecord();
        loop.Poll(record, 0);
        for (var turn = 0; turn < 50; turn++)
        {
            var gone = new SocketPair();
            loop.Add(gone.Near, 1);
            loop.Send(1, [9]);
            loop.Remove(1);
            gone.Dispose();

            // The system gives the lowest free descriptor: the one that was just closed.
            using var next = new SocketPair();
            loop.Add(next.Near, 2);
            loop.Send(2, [7]);
            loop.Poll(record, 0);
            ReadWhole(next.Far, 1).ShouldBe([7]);
            next.Far.Send([5]);
            PollUntil(loop, record, () => record.Count(2) > turn);
            loop.Remove(2);
        }

        record.Ends.ShouldBeEmpty();
        record.Count(1).ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ConnectionRemovedByTheReceiver_IsToldNothingMore(string kind)
    {
        using var loop = Create(kind);
        using var pair = new SocketPair();
        var record = new StreamRecord { WhenReceived = loop.Remove };
        loop.Add(pair.Near, 0);
        pair.Far.Send([1]);
        pair.Far.Close();

        PollUntil(loop, record, () => record.Count(0) > 0);
        loop.Poll(record, TickNs / 10);

        record.Ends.ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Wake_EndsAWaitThatWouldBeEndless(string kind)
    {
        using var loop = Create(kind);
        var record = new StreamRecord();
        loop.Poll(record, 0);
        for (var turn = 0; turn < 3; turn++)
        {
            loop.Wake();
            loop.Poll(record, -1).ShouldBe(0);
        }
    }

    private static StreamLoop Create(string kind)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() || kind == "select", "epoll is on Linux alone.");
        return new StreamLoop(kind == "epoll" ? new EpollPoller() : new SelectPoller());
    }

    private static void PollUntil(StreamLoop loop, StreamRecord record, Func<bool> isDone)
    {
        var since = Stopwatch.GetTimestamp();
        while (!isDone())
        {
            loop.Poll(record, TickNs);
            Stopwatch.GetElapsedTime(since).ShouldBeLessThan(Limit);
        }
    }

    private static byte[] ReadWhole(Socket socket, int length)
    {
        var bytes = new byte[length];
        for (var read = 0; read < length;)
        {
            var count = socket.Receive(bytes.AsSpan(read));
            count.ShouldBeGreaterThan(0);
            read += count;
        }

        return bytes;
    }

    /// <summary>Whether the other side has really closed: nothing keeps its socket open.</summary>
    private static bool ReadToEnd(Socket socket)
    {
        socket.ReceiveTimeout = (int)Limit.TotalMilliseconds;
        try
        {
            return socket.Receive(new byte[1]) == 0;
        }
        catch (SocketException problem)
        {
            return problem.SocketErrorCode == SocketError.ConnectionReset;
        }
    }

    private static void Dispose(StreamLoop loop, SocketPair[] pairs)
    {
        foreach (var (token, pair) in pairs.Index())
        {
            loop.Remove(token);
            pair.Dispose();
        }
    }
}
