using System.Net;
using System.Net.Sockets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

/// <summary>Somebody without the key sends as fast as the machine lets him, while a probe exchange goes on.</summary>
public sealed class FloodTests
{
    [Fact]
    public async Task Flood_OfGarbage_IsCountedByKindAndLegitimateProbesAreStillAnswered()
    {
        using var responder = SampleProbes.Responder(
            options: SampleProbes.Answering(rate: 2_000, ratePerAsker: 1_000));
        using var exchange = new ProbeExchange(SampleProbes.Asking(), [ProbeRoute.Udp(responder.Address!)]);
        await SampleProbes.Take(exchange, 2);
        var otherVersion = SampleProbes.Question(1);
        otherVersion[4]++;
        byte[][] garbage =
        [
            [], [1, 2, 3], new byte[1_400], new byte[ProbeDatagram.Length], otherVersion,
            SampleProbes.Question(1, run: SampleProbes.Run + 1),
            SampleProbes.Question(1, key: new ProbeSecret().KeyOf(SampleProbes.Run)),
            SampleProbes.Question(1, answerer: SampleProbes.Answerer + 1),
        ];

        using var flood = new Flood(responder.Address!, garbage);
        var probes = await SampleProbes.Take(exchange, 50);
        await flood.End();
        exchange.Stop();
        responder.Dispose();

        probes.Count.ShouldBe(50);
        flood.AnswersReceived.ShouldBe(0);
        var counts = responder.Counts;
        foreach (var count in (long[])
            [counts.WrongSize, counts.Foreign, counts.OtherVersion, counts.Unauthenticated, counts.ForAnother])
        {
            count.ShouldBeGreaterThan(0);
        }

        counts.Answered.ShouldBeLessThanOrEqualTo(exchange.Counts.Sent);
        (counts.Refused + counts.ForAnother).ShouldBeLessThanOrEqualTo(flood.Sent);
    }

    [Fact]
    public async Task Flood_OfReplays_IsNotAnsweredAndLeavesTheAskerItsShare()
    {
        using var responder = SampleProbes.Responder(
            options: SampleProbes.Answering(rate: 2_000, ratePerAsker: 1_000));
        using var exchange = new ProbeExchange(SampleProbes.Asking(), [ProbeRoute.Udp(responder.Address!)]);
        await SampleProbes.Take(exchange, 2);

        // As somebody on the path could have recorded it.
        using var flood = new Flood(responder.Address!, [SampleProbes.Question(1, asker: 4_711)]);
        await SampleProbes.Take(exchange, 50);
        await flood.End();
        responder.Dispose();

        flood.AnswersReceived.ShouldBeLessThanOrEqualTo(1);
        responder.Counts.Repeated.ShouldBeGreaterThan(0);
        responder.Counts.OverRate.ShouldBe(0);
    }

    private sealed class Flood : IDisposable
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        private readonly Task _sending;
        private volatile bool _isEnded;

        public Flood(ProbeAddress target, byte[][] garbage)
        {
            _socket.Connect(new IPEndPoint(IPAddress.Parse(target.Host), target.Port));
            _sending = Task.Factory.StartNew(
                () => Send(garbage), SampleProbes.Cancellation, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }

        public long Sent { get; private set; }

        public int AnswersReceived { get; private set; }

        public async Task End()
        {
            _isEnded = true;
            await _sending;
            var answer = new byte[2_000];
            while (_socket.Available > 0 && _socket.Receive(answer) >= 0)
                AnswersReceived++;
        }

        public void Dispose() => _socket.Dispose();

        private void Send(byte[][] garbage)
        {
            var end = MonotonicClock.NowNs() + 60_000_000_000;
            while ((!_isEnded || Sent < garbage.Length * 100) && MonotonicClock.NowNs() < end)
            {
                foreach (var datagram in garbage)
                {
                    _socket.Send(datagram);
                    Sent++;
                }
            }
        }
    }
}
