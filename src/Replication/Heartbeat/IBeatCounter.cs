namespace RedisLatency.Replication.Heartbeat;

/// <summary>What became of the heartbeats of a way. Thread safe.</summary>
internal interface IBeatCounter
{
    /// <summary>What is known now.</summary>
    BeatCounts Look();

    /// <summary>How old the newest one that was seen came to be, at the most, since this was asked before.</summary>
    long TakeLongestAge();
}
