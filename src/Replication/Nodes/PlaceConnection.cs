using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Nodes;

/// <summary>Connections to wherever an end is.</summary>
internal static class PlaceConnection
{
    /// <summary>Opens one for questions about keys, never part of a measurement.</summary>
    /// <exception cref="Redis.RedisException">It cannot be had.</exception>
    public static RedisConnection OpenControl(this IServerPlace place) => place.OpenControl(place.Require());

    /// <summary>Opens one to a server at which the end is or was.</summary>
    /// <inheritdoc cref="OpenControl(IServerPlace)" path="/exception"/>
    public static RedisConnection OpenControl(this IServerPlace place, ResolvedTarget target)
    {
        var connection = target.OpenControl();
        try
        {
            if (place.IsReplica)
                connection.Execute("READONLY");
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }
}
