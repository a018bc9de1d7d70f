using RedisLatency.Redis.Connections;

namespace RedisLatency.Fixtures;

/// <summary>Limits that only hold against hangs, for connections on machines that are busy with other tests.</summary>
public static class Patience
{
    /// <summary>A connection that waits as long as any of this may take.</summary>
    public static RedisConnectionOptions Connection { get; } = new()
    {
        ConnectTimeout = ServiceProcess.LimitAgainstHangs,
        CommandTimeout = ServiceProcess.LimitAgainstHangs,
    };

    /// <summary>
    /// As services have it: who follows a failover asks others when one does not answer, and should not wait for long.
    /// StackExchange.Redis waits for half of the limit before it connects once more, and for all of it until it takes
    /// a node of a cluster for gone.
    /// </summary>
    public static RedisConnectionOptions Followed { get; } = new();
}
