using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Delay.Ends.Places;

/// <summary>Connections to wherever an end is.</summary>
internal static class PlaceConnection
{
    /// <summary>Opens one for questions about keys, never part of a measurement.</summary>
    /// <exception cref="Redis.RedisException">It cannot be had.</exception>
    public static RedisConnection OpenControl(this IServerPlace place)
    {
        var connection = place.Require().OpenControl();
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
