namespace RedisLatency.Server.Links;

/// <summary>Where a link is, what it does, and who is told.</summary>
public sealed class WanLinkOptions
{
    /// <summary>Where it is entered and where it leads; at least one.</summary>
    public required IReadOnlyList<LinkRoute> Routes { get; init; }

    /// <summary>What it does to what goes through.</summary>
    public LinkProfile Profile { get; init; } = new();

    /// <summary>Who is told what it really did; null for nobody.</summary>
    public ILinkObserver? Witness { get; init; }

    /// <summary>
    /// Runs first on the link's thread: for a caller that pins it, or has the kernel wake it precisely.
    /// </summary>
    public Action? ThreadStarted { get; init; }

    /// <summary>Bytes of one connection that may be inside, each way; when they are, its sender is not read.</summary>
    /// <value>The default is 4 MiB: 200 MB/s through 20 ms.</value>
    public int MaxBuffered { get; init; } = 4 << 20;
}
