using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Resp;

/// <summary>The types of RESP2 and RESP3, each by its first byte.</summary>
[SuppressMessage("Naming", "CA1720", Justification = "They are the protocol's own words.")]
public enum RespType : byte
{
    /// <summary>Nothing has been read yet.</summary>
    None = 0,

    SimpleString = (byte)'+',
    Error = (byte)'-',
    Integer = (byte)':',
    BulkString = (byte)'$',
    Array = (byte)'*',
    Null = (byte)'_',
    Boolean = (byte)'#',
    Double = (byte)',',
    BigNumber = (byte)'(',
    BulkError = (byte)'!',
    VerbatimString = (byte)'=',
    Map = (byte)'%',
    Set = (byte)'~',
    Push = (byte)'>',
    Attribute = (byte)'|',
}
