using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>Where the value of an option came from.</summary>
public enum OptionSource
{
    /// <summary>Nobody said otherwise.</summary>
    [JsonStringEnumMemberName("default")]
    Default,

    /// <summary>A configuration file.</summary>
    [JsonStringEnumMemberName("file")]
    File,

    /// <summary>The environment.</summary>
    [JsonStringEnumMemberName("environment")]
    Environment,

    /// <summary>The command line.</summary>
    [JsonStringEnumMemberName("command line")]
    CommandLine,
}
