namespace RedisLatency.Redis.Connections;

/// <summary>Which version of the protocol to ask for.</summary>
public enum RespPreference
{
    /// <summary>RESP3, and RESP2 where the server does not know it or the user may not ask.</summary>
    Auto = 0,

    /// <summary>RESP2 only; HELLO is not sent.</summary>
    Resp2 = 2,

    /// <summary>RESP3 or no connection.</summary>
    Resp3 = 3,
}
