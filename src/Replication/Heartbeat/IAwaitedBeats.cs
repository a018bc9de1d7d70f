namespace RedisLatency.Replication.Heartbeat;

/// <summary>What the reader of a way knows of the heartbeats to come, and is told of those that came.</summary>
internal interface IAwaitedBeats
{
    /// <summary>Where they are; another one where another writer goes on.</summary>
    BeatKey Key { get; }

    /// <summary>Whether any is on its way, and how long it has been waited for.</summary>
    bool AreAwaited(out long overdueNs);

    /// <summary>Waits until one may be on its way.</summary>
    void WaitUntilAwaited(TimeSpan limit);

    /// <summary>Whether a heartbeat has not been seen yet.</summary>
    bool IsNew(BeatKey key, long number);

    /// <summary>One was found.</summary>
    void See(BeatKey key, in FoundBeat beat);

    /// <summary>Those that are due from now on are not waited for.</summary>
    void Close();

    /// <summary>Somebody else's value was found.</summary>
    void FindForeign();
}
