namespace RedisLatency.Redis.Commands;

/// <summary>What is true of a command whatever its arguments are; <c>commands.txt</c> says what each means.</summary>
[Flags]
public enum CommandFlags
{
    None = 0,

    // Of the server's own COMMAND.
    Write = 1 << 0,
    Read = 1 << 1,
    Admin = 1 << 2,
    Dangerous = 1 << 3,
    Blocking = 1 << 4,

    Session = 1 << 5,
    Code = 1 << 6,
    Script = 1 << 7,
    Propagated = 1 << 8,
    NeverPropagated = 1 << 9,
    NeedsKey = 1 << 10,
    KeepsTtl = 1 << 11,
    Conditions = 1 << 12,
    Carries = 1 << 14,
    Empties = 1 << 15,
    Splits = 1 << 16,
    Merges = 1 << 17,
    Unnotified = 1 << 18,
    MayMiss = 1 << 19,
    ReturnsValue = 1 << 20,
}
