namespace RedisLatency.Lab.Worlds;

/// <summary>A world could not be lived to its end: a service did not start, or did not end as it should.</summary>
internal class WorldFailedException(string message, Exception? innerException = null)
    : Exception(message, innerException);
