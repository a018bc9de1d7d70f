namespace RedisLatency.Lab.SelfTest;

internal enum RowVerdict
{
    Pass,

    /// <summary>Something planted was not reported.</summary>
    Miss,

    /// <summary>This machine cannot do it.</summary>
    Skipped,

    /// <summary>It could not be lived to its end.</summary>
    Failed,

    Stopped,
}
