namespace RedisLatency.Workloads.Commands;

internal enum KeyKind
{
    /// <summary>There is none: any node will do.</summary>
    None,

    /// <summary>Always the same.</summary>
    Fixed,

    /// <summary>Made from the number of the operation's key alone.</summary>
    OfOperation,

    /// <summary>It has drawn numbers or other keys in it, so it is known when the operation has been written.</summary>
    Drawn,
}
