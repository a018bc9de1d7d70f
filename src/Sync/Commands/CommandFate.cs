namespace RedisLatency.Sync.Commands;

/// <summary>What becomes of a command at the target.</summary>
internal enum CommandFate
{
    CarriedOut,

    // It is no data: it is left out and counted.
    LeftOut,

    // The run ends: the target would not be what the source is without it.
    Refused,
}
