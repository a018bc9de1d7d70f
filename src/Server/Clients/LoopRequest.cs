namespace RedisLatency.Server.Clients;

/// <summary>What another thread asks the server's thread to do; the asker waits until it is done.</summary>
internal enum LoopRequest
{
    /// <summary>Notice that a stall has begun or ended.</summary>
    NoticeStall,

    /// <summary>Close the listening socket.</summary>
    StopListening,

    /// <summary>Open the listening socket.</summary>
    Listen,

    /// <summary>Close every connection.</summary>
    CloseConnections,

    /// <summary>End the thread.</summary>
    Stop,
}
