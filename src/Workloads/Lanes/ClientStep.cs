namespace RedisLatency.Workloads.Lanes;

/// <summary>What a caller does next.</summary>
internal enum ClientStep
{
    End,

    Begin,

    Send,

    /// <summary>It waits, and then sends the same operation again.</summary>
    SendAgain,

    /// <summary>It waits, because nothing can be sent, and then begins another operation.</summary>
    Rest,
}
