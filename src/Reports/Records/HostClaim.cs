namespace RedisLatency.Reports.Records;

/// <summary>What one source said of a host's wall clock: that it is within an error of UTC.</summary>
/// <param name="Source">kernel, chrony or clockbound.</param>
/// <param name="Accepted">Whether it bounds anything.</param>
/// <param name="ErrorNs">How far from UTC, either way, at the end of the run; null where nothing was said.</param>
/// <param name="Reason">Why it was refused, or what to know of it; null where there is nothing.</param>
public sealed record HostClaim(string Source, bool Accepted, long? ErrorNs, string? Reason);
