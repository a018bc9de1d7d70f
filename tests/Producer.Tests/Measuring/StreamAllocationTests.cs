using RedisLatency.Fixtures;
using RedisLatency.Hosting.Live;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer.Tests.Measuring;

/// <summary>The measured loop against a real server: what a message allocates on the thread that measures.</summary>
public class StreamAllocationTests
{
    private const string Ping = "allocation:ping";
    private const string Pong = "allocation:pong";
    private const int Few = 100;
    private const int Many = 20_000;

    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    [InlineData(10_000, false)]
    public async Task Loop_OnTheRawLane_AllocatesNothingPerMessage(double rate, bool isCounter)
    {
        await using var server = await RedisServerProcess.Start();
        var endpoint = RedisEndpoint.Parse(server.Uri);
        using var echo = new StreamEcho(
            new EchoOptions { Instance = 7, Self = new Announcement("run", "consumer", "test", string.Empty, "0") },
            () => RawLane.Open(endpoint, new RedisConnectionOptions(), LaneOf(Ping, Pong)));
        echo.Connect();
        using var sender = new StreamSender(
            new SenderOptions
            {
                Run = 1,
                Producer = 2,
                Stream = 0,
                Rate = rate,
                IsCounter = isCounter,
                MaxInFlight = 10_000,
                ReceiveDeadline = TimeSpan.FromSeconds(60),
            },
            () => RawLane.Open(endpoint, new RedisConnectionOptions(), LaneOf(Pong, Ping)));
        sender.Connect();
        using var stop = new CancellationTokenSource();
        var echoing = new Thread(() => echo.Run(stop.Token)) { IsBackground = true };
        echoing.Start();
        try
        {
            var loop = new LoopAllocation(sender, isCounter ? 0UL : 7);
            loop.Run();
            loop.Returned.ShouldBe(Many);
            loop.Intervals.ShouldBeGreaterThan(3);

            // What a phase itself needs is the same however many messages it has: the rest would be the messages'. On a
            // busy machine the runtime may compile anew, and allocate once for it, in each of the phases; an object
            // for one message in a hundred would be thousands of bytes.
            (loop.BytesOfMany - loop.BytesOfFew).ShouldBeLessThan(Many / 100);
        }
        finally
        {
            await stop.CancelAsync();
            echoing.Join();
        }
    }

    private static LaneOptions LaneOf(string subscribe, string publish) =>
        new() { SubscribeChannels = [subscribe], PublishChannels = [publish] };

    /// <summary>
    /// Runs phases of one stream on a thread of its own, while another takes its intervals. Of two phases the smaller
    /// figure counts: the runtime may allocate once for a method that it has compiled anew.
    /// </summary>
    private sealed class LoopAllocation(StreamSender sender, ulong consumer)
    {
        private readonly LatencyHistogram _interval = LatencyHistogram.ForLatency();
        private readonly RoundTripSeries _series = new();

        public long BytesOfFew { get; private set; }

        public long BytesOfMany { get; private set; }

        public long Returned { get; private set; }

        public int Intervals { get; private set; }

        public void Run()
        {
            using var reporter = new ReporterThread(TimeSpan.FromMilliseconds(50), _ => TakeIntervals());
            var thread = new Thread(() =>
            {
                BytesOf(Many, isWarmUp: true);
                BytesOfFew = Math.Min(BytesOf(Few, isWarmUp: false), BytesOf(Few, isWarmUp: false));
                BytesOfMany = Math.Min(BytesOf(Many, isWarmUp: false), BytesOf(Many, isWarmUp: false));
                Returned = sender.Counts.Returned;
            });
            thread.Start();
            thread.Join();
        }

        private long BytesOf(int messages, bool isWarmUp)
        {
            var phase = new StreamPhase
            {
                IsWarmUp = isWarmUp,
                Limit = new StreamLimit(messages, null),
                Start = Metrics.Clocks.MonotonicClock.NowNs(),
                Consumers = [consumer],
                Series = _series,
            };
            var before = GC.GetAllocatedBytesForCurrentThread();
            sender.Run(phase, CancellationToken.None);
            // With the stragglers: whether the last echoes come in the loop or after it is the machine's business.
            sender.Drain(CancellationToken.None);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        private void TakeIntervals()
        {
            Intervals++;
            LatencyRecorder[] recorders =
            [
                _series.RoundTrip, _series.RoundTripFromIntended, _series.Network, _series.Residence, _series.Lateness,
            ];
            foreach (var recorder in recorders)
            {
                _interval.Reset();
                recorder.TakeInterval(_interval);
            }
        }
    }
}
