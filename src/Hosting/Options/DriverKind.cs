using System.Runtime.Serialization;

namespace RedisLatency.Hosting.Options;

/// <summary>What carries messages to Redis.</summary>
public enum DriverKind
{
    /// <summary>The instrument: as little as possible between the stamp and the socket.</summary>
    Raw,

    /// <summary>What an application sees: StackExchange.Redis.</summary>
    [EnumMember(Value = "stackexchange")]
    StackExchange,
}
