using OffsetBreak = RedisLatency.Metrics.Regimes.OffsetBreak;

namespace RedisLatency.Producer.OneWay;

internal static class BreakNames
{
    public static string Of(OffsetBreak cause) => cause switch
    {
        OffsetBreak.None => "none",
        OffsetBreak.Start => "start",
        OffsetBreak.Step => "step",
        OffsetBreak.RateChange => "rate-change",
        OffsetBreak.Suspended => "suspended",
        OffsetBreak.Gap => "gap",
        _ => "not-linear",
    };
}
