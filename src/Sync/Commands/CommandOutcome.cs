namespace RedisLatency.Sync.Commands;

/// <summary>What becomes of a command at the target.</summary>
internal enum CommandOutcome
{
    Applied,

    // It is no data: it is left out and counted.
    Skipped,

    // The run ends: the target would not be what the source is without it.
    Refused,
}
