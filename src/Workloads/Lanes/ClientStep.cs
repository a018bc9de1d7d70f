namespace RedisLatency.Workloads.Lanes;

internal enum ClientStep
{
    End,

    Begin,

    Send,

    SendAgain,

    /// <summary>It waits, because nothing can be sent, and then begins another operation.</summary>
    Rest,
}
