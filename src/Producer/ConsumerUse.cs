namespace RedisLatency.Producer;

/// <summary>Whether a Consumer elsewhere must answer.</summary>
internal enum ConsumerUse
{
    /// <summary>A Consumer that is there; where none answers, one in this process.</summary>
    Auto,

    /// <summary>A Consumer elsewhere, which is waited for.</summary>
    Required,
}
