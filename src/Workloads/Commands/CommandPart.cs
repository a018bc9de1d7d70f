namespace RedisLatency.Workloads.Commands;

/// <summary>What a piece of an argument stands for.</summary>
internal enum CommandPart
{
    /// <summary>Bytes that are always the same.</summary>
    Literal,

    /// <summary>The operation's key.</summary>
    Key,

    /// <summary>A key of its own, drawn from the same stream.</summary>
    AnotherKey,

    /// <summary>A value for the argument's key.</summary>
    Value,

    /// <summary>The number of a drawn key in at least twelve digits, as redis-benchmark writes it.</summary>
    Number,
}
