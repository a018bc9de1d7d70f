namespace RedisLatency.Producer;

/// <summary>Who answers.</summary>
internal enum ConsumerUse
{
    /// <summary>A Consumer that is there; where none answers, one in this process.</summary>
    Auto,

    /// <summary>A Consumer elsewhere, which is waited for.</summary>
    Required,
}
