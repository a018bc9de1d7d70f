using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Reports.Values;

namespace RedisLatency.Consumer;

internal static class ConsumerCatalogue
{
    private static readonly string LineToType = $"{ProgramName.ToStart("Consumer")} 127.0.0.1:6379";

    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    public static OptionCatalogue<ConsumerOptions> Create() =>
        new OptionCatalogue<ConsumerOptions>("Consumer")
            .Include(TargetCatalogue.CreateOfOne(EndpointSyntax.Problem, EndpointSyntax.Mask), o => o.Target)
            .Group("Serving")
            .Add("--channel", o => o.Channel, Syntax.OptionalText("CHANNEL"),
                "The channel that messages come on", shownDefault: "redislatency:RUN:ping")
            .Add("--reply-channel", o => o.ReplyChannel, Syntax.OptionalText("CHANNEL"),
                "The channel that echoes go out on", shownDefault: "redislatency:RUN:pong")
            .Add("--streams", o => o.Streams, Syntax.SmallCount(1, 256, "streams"),
                "Parallel pairs of channels, each with its own thread; at least as many as the Producer has")
            .Add("--duration -d", o => o.Duration, Syntax.Duration(Shortest).Optional(),
                "How long to serve", shownDefault: "until stopped; with --expect until the Producers have ended")
            .Add("--probe", o => o.Probe, ProbeChoice.Syntax,
                "How Producers may ask for this clock's time: through Redis, or besides over UDP at an address of "
                + "this machine that they reach")
            .Group("Timing")
            .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration().Optional(),
                "How long to try to restore a lost connection before the Consumer ends",
                shownDefault: "as long as it runs")
            .Add("--busy-poll", o => o.BusyPoll, Syntax.Flag,
                "Poll the socket without pause instead of waiting for a message")
            .Add("--cpu", o => o.Cpu, Syntax.SmallCount(0, 1023).Optional(),
                "Pin the first stream's thread to this processor, the others to the next ones", shownDefault: "any")
            .Add("--cpu-dma-latency", o => o.CpuDmaLatency, Syntax.SmallCount(0, 1_000_000, "us").Optional(),
                "Keep processors out of idle states that take longer than this to leave, in us (needs root)",
                shownDefault: "as the machine has it")
            .Include(TelemetryCatalogue.Create(), o => o.Telemetry)
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(FleetCatalogue.CreateOfPair(FleetCatalogue.Consumer), o => o.Fleet)
            .Include(OutputCatalogue.Create(ConsumerMetrics.Problem, "'forward.p99<2ms' or 'lost==0'"), o => o.Output)
            .Rule(["--redis"], EndpointProblem)
            .Rule(["--expect", "--duration"], o => o.Fleet.IsMember && o.Duration is not null
                ? "one of several processes serves until the Producers have ended"
                : null)
            .Rule(["--channel", "--reply-channel", "--streams", "--run"], ChannelProblem);

    private static string? EndpointProblem(ConsumerOptions options) => options.Target.Endpoints.Count switch
    {
        0 => $"the Consumer needs a server; type for instance {LineToType}",
        1 => null,
        _ => "the Consumer serves on one server; start another for the second one",
    };

    private static string? ChannelProblem(ConsumerOptions options) =>
        new ConsumerPlan(options).SharedChannel is { } shared
            ? $"{shared} would be listened to and answered on: plain counts would go around forever"
            : null;
}
