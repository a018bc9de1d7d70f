namespace RedisLatency.Fleet.Results;

/// <summary>What a member of a run has sent.</summary>
/// <param name="Role">What it does.</param>
/// <param name="Folder">Where its results lie now; null where they are not there.</param>
/// <param name="Problem">Why they are not.</param>
public sealed record ReceivedMember(string Role, string? Folder, string? Problem);
