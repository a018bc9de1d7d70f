namespace RedisLatency.Redis.Client;

/// <summary>What is done with a request that a server has refused.</summary>
public enum NextStep
{
    /// <summary>Nothing more: it is refused.</summary>
    GiveUp,

    /// <summary>It is sent at once to the server that the error names.</summary>
    Follow,

    /// <summary>It is sent again after a pause, if whoever sent it still wants it.</summary>
    SendAgain,
}
