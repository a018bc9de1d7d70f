using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>Where the value of an option came from.</summary>
public enum OptionSource
{
    /// <summary>Nobody said otherwise.</summary>
    [JsonStringEnumMemberName("default")]
    Default,

    [JsonStringEnumMemberName("file")]
    File,

    [JsonStringEnumMemberName("environment")]
    Environment,

    [JsonStringEnumMemberName("command line")]
    CommandLine,
}
