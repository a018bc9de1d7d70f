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

    /// <summary>How what was received and not consumed is kept.</summary>
    public SpoolOptions Spool { get; init; } = new();
}

/// <summary>Where received bytes wait for their consumer.</summary>
public sealed record SpoolOptions
{
    /// <summary>Bytes that wait in memory; more go to the disk.</summary>
    /// <value>The default is 8 MiB.</value>
    public int MemoryLimit { get; init; } = 8 << 20;

    /// <summary>Bytes that wait on the disk; when it is reached, the source is no longer read from.</summary>
    /// <value>The default is 10 GiB. Zero uses no disk.</value>
    public long DiskLimit { get; init; } = 10L << 30;

    /// <summary>The folder for the spool's files, which go when they are read.</summary>
    public string Folder { get; init; } = Path.GetTempPath();
}

/// <summary>A place in a source's stream, from which it may go on.</summary>
/// <param name="ReplicationId">Whose stream: 40 hexadecimal digits.</param>
/// <param name="Offset">The offset of the last byte that was had.</param>
public readonly record struct ReplicationPosition(string ReplicationId, long Offset);
