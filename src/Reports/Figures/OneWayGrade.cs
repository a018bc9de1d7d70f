using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Figures;

/// <summary>
/// How good a pair's one-way latency is: the bound E against the smaller median of the two directions.
/// </summary>
public enum OneWayGrade
{
    /// <summary>E is at most 5 % of the median.</summary>
    [JsonStringEnumMemberName("A")]
    A,

    /// <summary>E is at most 25 %.</summary>
    [JsonStringEnumMemberName("B")]
    B,

    /// <summary>E is at most 100 %.</summary>
    [JsonStringEnumMemberName("C")]
    C,

    /// <summary>E is larger than the median.</summary>
    [JsonStringEnumMemberName("D")]
    D,

    /// <summary>Claims or probes contradict each other: the numbers are not valid.</summary>
    [JsonStringEnumMemberName("F")]
    F,
}
