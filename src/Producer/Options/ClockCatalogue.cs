using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer.Options;

internal static class ClockCatalogue
{
    public static OptionCatalogue<ClockOptions> Create() =>
        new OptionCatalogue<ClockOptions>("Producer")
            .Group("One way")
            .Add("--claims", o => o.Claims, Syntax.Choice<ClaimUse>(),
                "Whether what hosts say of their clocks narrows the bound: UTC, and a common clock")
            .Add("--probe", o => o.Probe, ProbeSyntax.Create(),
                "What carries clock probes beside the messages; auto is redis, unless both share a clock")
            .Add("--probe-rate", o => o.ProbeRate, Syntax.Number(0.1, 500, "pairs per second").Optional(),
                "How often the consumer's clock is asked, by two probes each time",
                shownDefault: "25 over UDP, 10 through Redis")
            .Add("--floor-distance", o => o.FloorDistance, DistanceSyntax.Create().Optional(),
                "How far apart the two are: no message is faster than light in a vacuum")
            .Add("--floor-time", o => o.FloorTime, FloorTimeSyntax.Create().Optional(),
                "The least time a message takes, both ways or each: taken for granted")
            .Add("--echo", o => o.Echo, Syntax.Choice<EchoMode>(),
                "Whether consumers send messages back; off, they measure the way to them alone")
            .Add("--stamps", o => o.Stamps, Syntax.Flag,
                "Keep the five stamps of every message in stamps.csv");
}
