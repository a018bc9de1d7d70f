using System.Net;
using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Datagrams;

public sealed class UdpPortTests
{
    private const long LimitAgainstHangsNs = 60_000_000_000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Datagrams_GoBothWays_AndLongerOnesFillTheBuffer(bool isPortable)
    {
        using var answerer = Bound(isPortable, out var address);
        using var asker = Connected(isPortable, address);
        Span<byte> buffer = stackalloc byte[9];

        asker.TrySend("question"u8).ShouldBeTrue();
        answerer.Receive(Limit(), buffer, out var received).ShouldBe(8);
        buffer[..8].SequenceEqual("question"u8).ShouldBeTrue();
        received.ShouldBeInRange(MonotonicClock.NowNs() - LimitAgainstHangsNs, MonotonicClock.NowNs());
        answerer.TrySend("answer"u8).ShouldBeTrue();
        asker.Receive(Limit(), buffer, out _).ShouldBe(6);
        asker.TrySend("much more than that"u8).ShouldBeTrue();
        answerer.Receive(Limit(), buffer, out _).ShouldBe(9);
        asker.TrySend([]).ShouldBeTrue();
        answerer.Receive(Limit(), buffer, out _).ShouldBe(0);

        answerer.Receive(0, buffer, out _).ShouldBe(-1);
        answerer.Receive(MonotonicClock.NowNs() + 2_000_000, buffer, out _).ShouldBe(-1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Refusal_IsNoted(bool isPortable)
    {
        var answerer = Bound(isPortable, out var address);
        using var asker = Connected(isPortable, address);
        answerer.Dispose();
        Span<byte> buffer = stackalloc byte[9];

        var end = Limit();
        while (asker.Refused == 0 && MonotonicClock.NowNs() < end)
        {
            asker.TrySend("question"u8);
            asker.Receive(MonotonicClock.NowNs() + 1_000_000, buffer, out _);
        }

        asker.Refused.ShouldBeGreaterThan(0);
        asker.LastError.ShouldNotBeNull();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void NothingIsAllocated_PerProbe(bool isPortable)
    {
        using var answerer = Bound(isPortable, out var address);
        using var asking = new PortLane(Connected(isPortable, address));
        using var desk = new ProbeAnswers(SampleProbes.Answering());
        using var asker = new ProbeRequester(SampleProbes.Asking(), SampleProbes.Asker);
        var buffer = new byte[ProbeDatagram.Length + 1];
        Exchange(200);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Exchange(200);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        asker.Counts.Answered.ShouldBe(400);

        void Exchange(int count)
        {
            for (var i = 0; i < count; i++)
            {
                asker.Ask(asking);
                var length = answerer.Receive(Limit(), buffer, out var received);
                if (desk.TryAnswer(buffer.AsSpan(0, length), received))
                    answerer.TrySend(buffer.AsSpan(0, length));
                asker.Receive(asking, Limit());
            }
        }
    }

    private static long Limit() => MonotonicClock.NowNs() + LimitAgainstHangsNs;

    private static UdpPort Bound(bool isPortable, out EndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        address = socket.LocalEndPoint!;
        return Over(socket, isConnected: false, isPortable);
    }

    private static UdpPort Connected(bool isPortable, EndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(address);
        return Over(socket, isConnected: true, isPortable);
    }

    private static UdpPort Over(Socket socket, bool isConnected, bool isPortable) => isPortable
        ? new PortableUdpPort(socket, isConnected)
        : UdpPort.Over(socket, isConnected);

    private sealed class PortLane(UdpPort port) : IProbeLane
    {
        public string Name => "port";

        public string? Problem => port.LastError;

        public bool IsLost => false;

        public void Open()
        {
        }

        public bool TrySend(ReadOnlySpan<byte> datagram) => port.TrySend(datagram);

        public int Receive(long untilNs, Span<byte> buffer, out long receivedNs) =>
            port.Receive(untilNs, buffer, out receivedNs);

        public void Dispose() => port.Dispose();
    }
}
