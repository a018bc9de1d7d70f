using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Figures;

/// <summary>Which of a pair's numbers to read first.</summary>
public enum OneWayHeadline
{
    /// <summary>The one-way latency: its bound is at most a quarter of the median.</summary>
    [JsonStringEnumMemberName("one-way")]
    OneWay,

    /// <summary>The round trip and the delay variation, which need no clocks to agree.</summary>
    [JsonStringEnumMemberName("round trip")]
    RoundTrip,
}
