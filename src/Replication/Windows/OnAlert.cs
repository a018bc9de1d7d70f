namespace RedisLatency.Replication.Windows;

/// <summary>What an alert does besides being told.</summary>
internal enum OnAlert
{
    /// <summary>Nothing: it goes on, and ends with 99 when it ends.</summary>
    Tell,

    /// <summary>It ends the run with 99.</summary>
    Exit,
}
