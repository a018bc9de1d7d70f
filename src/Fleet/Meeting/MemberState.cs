namespace RedisLatency.Fleet.Meeting;

/// <summary>How far a member is.</summary>
/// <param name="Instance">What it is called.</param>
/// <param name="Barrier">The last barrier that it has come to; -1 before the first.</param>
/// <param name="RoundTripNs">How long the control Redis takes to answer it.</param>
/// <param name="HasEnded">Whether it has left.</param>
/// <param name="IsStreamed">Whether it sends what it measures while it measures.</param>
internal sealed record MemberState(string Instance, int Barrier, long RoundTripNs, bool HasEnded, bool IsStreamed);
