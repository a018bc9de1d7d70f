using System.Runtime.Serialization;

namespace RedisLatency.Hosting.Options;

/// <summary>Which version of RESP is spoken.</summary>
public enum ProtocolChoice
{
    /// <summary>RESP3 where the server knows it, else RESP2.</summary>
    Auto,

    [EnumMember(Value = "2")]
    Resp2,

    [EnumMember(Value = "3")]
    Resp3,
}
