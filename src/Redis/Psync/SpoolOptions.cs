namespace RedisLatency.Redis.Psync;

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
