using RedisLatency.Fixtures;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Reports.Records;

namespace RedisLatency.Integration.Pair;

/// <summary>
/// A consumer that keeps each message so long that nothing which this machine does is material, and reports what it
/// waited for a processor.
/// </summary>
public class ReportedWaitsTests : PairTest
{
    private const int FrameKind = 5;
    private const long KeptNs = 20_000_000;
    private const long WaitNs = 16_000_000;

    private readonly List<MessageKind> _answered = [];

    [Fact]
    public async Task Waits_ThatAConsumerReports_AreADoubtThatNamesIt()
    {
        var reports = 0L;

        // Each report is a second later than the last, in which it waited in every slot.
        var record = await MeasureWith(() =>
            ++reports is var n ? ReportedWaits.Of(n * 1_000_000_000, n * 50, [(WaitNs, n * 50)]) : null);

        record.Verdict.Status.ShouldBe(VerdictStatus.Doubtful);
        record.Verdict.Reasons.ShouldContain(
            "The machine can have made rtt from p50 on: the consumer far waited for a processor in 80 % of the time. "
            + "Stop what else runs on its machine, or measure on another.");
        record.Summaries[0].Latencies[0].Percentiles.At(50)!.InDoubt.ShouldBeTrue();
    }

    [Fact]
    public async Task Waits_FromBeforeTheMeasuredPhase_AreNoDoubt()
    {
        var reports = 0L;

        var record = await MeasureWith(() =>
            ++reports is var n ? ReportedWaits.Of((9 + n) * 1_000_000_000, (9 + n) * 50, [(5 * WaitNs, 450)]) : null);

        record.Verdict.Status.ShouldBe(VerdictStatus.Valid);
        _answered[^1].ShouldBe(MessageKind.Hello);
    }

    [Fact]
    public async Task Consumer_ThatReportsNothing_AsOlderOnes_IsAskedForNothing()
    {
        var record = await MeasureWith(() => null);

        record.Verdict.Status.ShouldBe(VerdictStatus.Valid);
        _answered.SkipWhile(kind => kind == MessageKind.Hello).ShouldNotContain(MessageKind.Hello);
    }

    private async Task<RunRecord> MeasureWith(Func<ReportedWaits?> waits)
    {
        var options = new EchoOptions
        {
            Instance = RunIdentity.NewProcess(),
            Self = new Announcement(RunNames.DefaultRun, "consumer", "far", string.Empty, RunNames.SuiteVersion),
            Waits = waits,
        };
        var lane = new LaneOptions
        {
            SubscribeChannels = [RunNames.Ping(RunNames.DefaultRun)],
            PublishChannels = [RunNames.Pong(RunNames.DefaultRun)],
        };
        var endpoint = RedisEndpoint.Parse(Server.Uri);
        using var echo = new StreamEcho(options, () => Slow(RawLane.Open(endpoint, Patience.Connection, lane)));
        echo.Connect();
        using var stop = new CancellationTokenSource();
        var serving = Task.Factory.StartNew(() => echo.Run(stop.Token), TaskCreationOptions.LongRunning);
        var run = await Measure("--rate", "0", "--iterations", "50", "--warmup", "0");
        await stop.CancelAsync();
        await serving;
        return run.Record;
    }

    private SlowLane Slow(RawLane lane) => new(lane, _answered);

    private sealed class SlowLane(RawLane lane, List<MessageKind> answered) : IPubSubLane
    {
        public LaneDescription Description => lane.Description;

        public long? UnansweredSince => lane.UnansweredSince;

        public void Publish(int channel, ReadOnlySpan<byte> payload)
        {
            Pacer.WaitUntil(MonotonicClock.NowNs() + KeptNs);
            answered.Add((MessageKind)payload[FrameKind]);
            lane.Publish(channel, payload);
        }

        public bool TryReceive(long untilTimestamp, out LaneMessage message) =>
            lane.TryReceive(untilTimestamp, out message);

        public void DrainReplies() => lane.DrainReplies();

        public void Ask() => lane.Ask();

        public void Dispose() => lane.Dispose();
    }
}
