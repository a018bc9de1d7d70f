namespace RedisLatency.Redis.Lanes;

/// <summary>What carried a run's messages.</summary>
/// <param name="Driver"><c>raw</c> or <c>stackexchange</c>.</param>
/// <param name="Version">The version of the driver that really ran.</param>
/// <param name="Protocol">The RESP version that the connection speaks, 2 or 3.</param>
/// <param name="Transport">How bytes travel: <c>tcp</c>, <c>tls</c> or <c>unix</c>, and by which calls.</param>
/// <param name="AllocatesPerMessage">Whether the driver allocates for each message.</param>
public sealed record LaneDescription(
    string Driver, string Version, int Protocol, string Transport, bool AllocatesPerMessage);
