using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Whether Sentinels still name, at the end of a run, the primary that it used. One that was replaced and cannot be
/// told so goes on, and calls itself the primary as before.
/// </summary>
public static class SentinelCheck
{
    /// <param name="service">The service of the Sentinels; any other endpoint has nothing to compare.</param>
    /// <param name="connection">How to connect.</param>
    /// <param name="used">The primary that the run used.</param>
    /// <param name="deed">What the run did with it: "read", "wrote to".</param>
    /// <returns>A sentence where they do not, and whether that is certain; else null.</returns>
    public static (string Text, bool IsCertain)? FindProblem(
        RedisEndpoint service, RedisConnectionOptions connection, RedisEndpoint? used, string deed)
    {
        if (service.Topology != EndpointTopology.Sentinel || used is null)
            return null;
        var (named, isFailingOver) = SentinelService.NamePrimary(service, connection);
        if (named.Count == 0)
        {
            return ($"No Sentinel names a primary at the end: whether it still is {used.Address}, which the run "
                + $"{deed}, is not known.", false);
        }

        var others = named.Where(one => IsAnother(service.At(one), used, connection)).ToList();
        if (others.Count == 0)
        {
            return isFailingOver
                ? ($"Sentinels are at a failover at the end: what another than {used.Address}, which the run {deed}, "
                    + "has by now is not known.", false)
                : null;
        }

        return ($"Sentinels name {string.Join(" or ", named)} as the primary, and the run {deed} {used.Address}: "
            + "what one of them has the other may lack.", others.Count == named.Count);
    }

    // A server may have several names, and a Sentinel that is behind names one that is a replica by now.
    private static bool IsAnother(RedisEndpoint named, RedisEndpoint used, RedisConnectionOptions connection) =>
        named.Address != used.Address
        && !(TakeSnapshot(named, connection) is { } now
            && (now.IsReplica || (now.Fact("master_replid") is { } id
                && id == TakeSnapshot(used, connection)?.Fact("master_replid"))));

    private static ServerSnapshot? TakeSnapshot(RedisEndpoint endpoint, RedisConnectionOptions connection)
    {
        try
        {
            using var control = RedisConnection.Open(endpoint, connection);
            return ServerSnapshot.Of(control, "replication");
        }
        catch (RedisException)
        {
            return null;
        }
    }
}
