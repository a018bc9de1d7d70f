namespace RedisLatency.Replication.Probe;

/// <summary>What a writer or a reader whose other side is elsewhere is told, whatever it measures.</summary>
internal interface IApartOptions
{
    /// <summary>What keys begin with.</summary>
    string Prefix { get; }

    /// <summary>How long a cluster is given to name the server of a slot.</summary>
    TimeSpan LinkTimeout { get; }

    /// <summary>How long either side waits for the other.</summary>
    TimeSpan PeerTimeout { get; }

    /// <summary>Where the writer's clock is asked over UDP; null for nowhere, or for what the writer offers.</summary>
    string? Probe { get; }

    /// <summary>How the reader's end shares out its slots, as a writer is told; null for as its source does.</summary>
    string? Shards { get; }

    /// <summary>Whether a writer publishes messages in place of keys.</summary>
    bool Publish { get; }

    /// <summary>How a reader knows that a key is there.</summary>
    ReadingKind Reading { get; }

    /// <summary>Whether a reader does not count that both processes say that they read one clock.</summary>
    bool NoClaims { get; }
}
