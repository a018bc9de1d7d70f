namespace RedisLatency.Workloads.Lanes;

/// <summary>What a caller does next.</summary>
internal enum ClientStep
{
    /// <summary>It is done.</summary>
    End,

    /// <summary>It begins its first operation.</summary>
    Begin,

    /// <summary>It sends its request.</summary>
    Send,

    /// <summary>It waits, and then sends the same operation again.</summary>
    SendAgain,

    /// <summary>It waits, because nothing can be sent, and then begins another operation.</summary>
    Rest,
}
