using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Sending;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer;

internal static class ProducerCatalogue
{
    private const long MostMessages = 1_000_000_000_000_000;

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);
    private static readonly TimeSpan ShortestDeadline = TimeSpan.FromMilliseconds(1);

    /// <summary>What is printed and kept.</summary>
    public static OptionCatalogue<OutputOptions> CreateOutput() =>
        OutputCatalogue.Create(ProducerMetrics.Problem, "'rtt.p99<2ms' or 'lost==0'");

    public static OptionCatalogue<ProducerOptions> Create() =>
        new OptionCatalogue<ProducerOptions>("Producer")
            .Include(TargetCatalogue.Create(
                EndpointSyntax.ProblemUnlessInProcess, EndpointSyntax.Mask, hasInProcess: true), o => o.Target)
            .Group("Messages")
            .Add("--channel", o => o.Channel, Syntax.OptionalText("CHANNEL"),
                "The channel to publish to", shownDefault: "redislatency:RUN:ping; ping with --payload counter")
            .Add("--reply-channel", o => o.ReplyChannel, Syntax.OptionalText("CHANNEL"),
                "The channel that echoes come back on",
                shownDefault: "redislatency:RUN:pong; pong with --payload counter")
            .Add("--payload", o => o.Payload, Syntax.Choice<PayloadForm>(),
                "Stamped frames, or plain decimal counts that a consumer in any language can send back")
            .Add("--payload-size", o => o.PayloadSize, Syntax.Range(Syntax.Size(0, FrameLayout.MaxPayloadLength)),
                $"Incompressible bytes added to the frame's {FrameLayout.HeaderLength}")
            .Group("Load")
            .Add("--rate", o => o.Rate, Syntax.Rate(10_000_000, "messages per second"),
                "Messages per second, over all streams; 0 sends each message when the last one has returned",
                shownDefault: "5k; 0 with --payload counter")
            .Add("--arrival", o => o.Arrival, Syntax.Choice<Arrival>(), "How the times between messages are spread")
            .Add("--iterations -n", o => o.Iterations, Syntax.Count(1, MostMessages, "messages").Optional(),
                "How many messages to measure, over all streams", shownDefault: "1k with --rate 0")
            .Add("--duration -d", o => o.Duration, Syntax.Duration(ShortestDeadline).Optional(),
                "How long to measure; with --iterations whichever ends first",
                shownDefault: "5s; with --iterations as long as they take")
            .Add("--warmup", o => o.WarmUp, WarmUpSyntax.Create().Optional(),
                "How long to warm up; not measured: a time, a number of messages, or 0",
                key: "WarmUp", shownDefault: "2s and 10k messages, but at most 10s; 200 messages with --rate 0")
            .Add("--streams", o => o.Streams, Syntax.SmallCount(1, 256, "streams"),
                "Parallel pairs of channels, each with its own thread; the Consumer needs as many")
            .Add("--max-in-flight", o => o.MaxInFlight, Syntax.SmallCount(1, 1 << 22, "messages"),
                "How many messages of a stream may be in flight; further ones wait, and are counted")
            .Add("--receive-deadline", o => o.ReceiveDeadline, Syntax.Duration(ShortestDeadline, LongestWait),
                "A message that takes longer counts as lost, or as late if it still comes")
            .Add("--seed", o => o.Seed, Syntax.SmallCount(0, int.MaxValue), "Seed of payloads and Poisson times")
            .Group("Timing")
            .Add("--consumer", o => o.Consumer, Syntax.Choice<ConsumerUse>().Optional(),
                "Who answers: auto is the Consumer that is there, or one in this process where none answers for a "
                + "second; required waits for one elsewhere",
                shownDefault: "auto; required with --peer-timeout, --probe udp://..., --echo off, "
                + "--floor-distance, --floor-time and consumers that --expect names")
            .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(most: LongestWait),
                "How long to wait for a consumer that is required, and with --expect until all members are there",
                shownDefault: "30s; 1m with --expect")
            .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: LongestWait),
                "How long to try to restore a lost connection before the run ends")
            .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag,
                "Poll the socket without pause instead of waiting for a message")
            .Add("--cpu", o => o.Cpu, Syntax.SmallCount(0, 1023).Optional(),
                "Pin the first stream's thread to this processor, the others to the next ones", shownDefault: "any")
            .Add("--cpu-dma-latency", o => o.CpuDmaLatency, Syntax.SmallCount(0, 1_000_000, "us").Optional(),
                "Keep processors out of idle states that take longer than this to leave, in us (needs root)",
                shownDefault: "as the machine has it")
            .Add("--floor", o => o.Floor, Syntax.Flag,
                "First measure the in-process server the same way, and print both")
            .Include(ClockCatalogue.Create(), o => o.Clocks)
            .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(
                FleetCatalogue.CreateOfPair(FleetCatalogue.Producer)
                    .Only("--expect", "--member", "--control", "--control-password-file"),
                o => o.Fleet)
            .Include(CreateOutput(), o => o.Output)
            .Rule(["--threshold", "--redis"], o => OutputCatalogue.TargetProblem(o.Output, o.Target.Given.Count > 0))
            .Rule(["--payload", "--payload-size"], o => o.Payload == PayloadForm.Counter && o.PayloadSize.Most > 0
                ? "a plain count has no payload"
                : null)
            .Rule(["--payload", "--streams"], o => o.Payload == PayloadForm.Counter && o.Streams > 1
                ? "plain counts have one stream"
                : null)
            .Rule(["--channel", "--reply-channel"], o => o.Channel is not null && o.Channel == o.ReplyChannel
                ? "they must differ, or the Consumer would answer itself"
                : null)
            .Rule(["--payload", "--echo"], o => o.Payload == PayloadForm.Counter && o.Clocks.Echo == EchoMode.Off
                ? "plain counts need an echo"
                : null)
            .Rule(["--rate", "--echo"], o => o.Rate == 0 && o.Clocks.Echo == EchoMode.Off
                ? "without echoes the next message has nothing to wait for"
                : null)
            .Rule(["--payload", "--stamps"], o => o.Payload == PayloadForm.Counter && o.Clocks.Stamps
                ? "plain counts carry no stamps"
                : null)
            .Rule(["--redis", "--echo", "--stamps"], o => o.Target.Endpoints.Count > 1
                && (o.Clocks.Stamps || o.Clocks.Echo == EchoMode.Off)
                ? "two servers are compared by their round trips"
                : null)
            .Rule(["--redis"], o => o.Target.Endpoints.Count > 2 ? "at most two endpoints can be compared" : null)
            .Rule(["--expect", "--redis"], o => !o.Fleet.IsMember ? null : o.Target.Endpoints.Count switch
            {
                0 => "several processes measure a server; --redis says which",
                1 => null,
                _ => "two servers are compared by one process",
            });
}
