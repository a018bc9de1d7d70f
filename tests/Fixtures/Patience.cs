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
}
