namespace RedisLatency.Fleet.Meeting;

/// <summary>What the member that came first says of the run; the others agree, or are refused.</summary>
internal sealed record SessionNote(string Id, string Expect, string Version, string Instance);
