namespace RedisLatency.Replication.Probe;

/// <summary>What a link's two ends are called; their regions where they were given.</summary>
internal sealed record LinkEnds(string Source, string Destination, string? SourceRegion, string? DestinationRegion);
