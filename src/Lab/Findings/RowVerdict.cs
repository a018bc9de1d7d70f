namespace RedisLatency.Lab.Findings;

/// <summary>How a row ended.</summary>
internal enum RowVerdict
{
    /// <summary>Everything planted was reported.</summary>
    Pass,

    /// <summary>Something was not.</summary>
    Miss,

    /// <summary>This machine cannot do it.</summary>
    Skipped,

    /// <summary>It could not be lived to its end.</summary>
    Failed,

    /// <summary>The self-test was stopped before it began or ended.</summary>
    Stopped,
}
