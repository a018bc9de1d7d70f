using System.Runtime.Serialization;

namespace RedisLatency.Hosting.RunOptions;

/// <summary>Which version of RESP is spoken.</summary>
public enum ProtocolChoice
{
    /// <summary>RESP3 where the server knows it, else RESP2.</summary>
    Auto,

    /// <summary>RESP2.</summary>
    [EnumMember(Value = "2")]
    Resp2,

    /// <summary>RESP3 or nothing.</summary>
    [EnumMember(Value = "3")]
    Resp3,
}
