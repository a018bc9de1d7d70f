namespace RedisLatency.Peers.Answering;

/// <summary>Whether an authentic question is answered.</summary>
internal enum AskerVerdict
{
    /// <summary>It is.</summary>
    Answer,

    /// <summary>It has come before, or is older than what is remembered: a replay.</summary>
    Repeated,

    /// <summary>The asker has asked too much, or there are too many askers.</summary>
    OverRate,
}
