namespace RedisLatency.Redis.StackExchange;

/// <summary>What became of an operation that was given to the client.</summary>
public enum ClientOutcome
{
    /// <summary>The server answered, and not with an error.</summary>
    Completed,

    /// <summary>The server answered with an error.</summary>
    Error,

    /// <summary>The reply says that it was not done, which this command cannot say.</summary>
    NotDone,

    /// <summary>The client refused it, and nothing was sent: it cannot be done this way.</summary>
    Refused,

    /// <summary>Nothing was sent: there is no connection.</summary>
    NotConnected,

    /// <summary>The connection ended meanwhile; the server may have executed it.</summary>
    Lost,

    /// <summary>The client's own limit for the reply has passed.</summary>
    TimedOut,
}
