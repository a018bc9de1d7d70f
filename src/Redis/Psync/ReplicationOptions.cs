namespace RedisLatency.Redis.Psync;

/// <summary>How a source is asked for its data set and its stream of commands.</summary>
public sealed record ReplicationOptions
{
    /// <summary>The command that asks for it, where a service has renamed it.</summary>
    public string Command { get; init; } = "PSYNC";

    /// <summary>The port that the source lists for this replica; nobody listens there.</summary>
    public int ListeningPort { get; init; }

    /// <summary>Whether the source may send its data set without writing it to its disk first.</summary>
    public bool AcceptsDiskless { get; init; } = true;

    /// <summary>After how long without a byte, not even a keep-alive, the source is given up.</summary>
    /// <value>The default is 60 s, the server's own repl-timeout.</value>
    public TimeSpan SilenceLimit { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How often the source is told how far the target is.</summary>
    public TimeSpan AcknowledgeEvery { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How often it is told the same again while something waits for the target.</summary>
    public TimeSpan RepeatEvery { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How what was received and not consumed is kept.</summary>
    public SpoolOptions Spool { get; init; } = new();
}
