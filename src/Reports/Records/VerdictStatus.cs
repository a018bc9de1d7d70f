namespace RedisLatency.Reports.Records;

/// <summary>Whether the numbers of a run may be relied on.</summary>
public enum VerdictStatus
{
    /// <summary>They may.</summary>
    Valid,

    /// <summary>Measured as asked, but the instrument or the machine made a material part of some number.</summary>
    Doubtful,

    /// <summary>Not what was asked for.</summary>
    NotValid,

    /// <summary>Measured by another tool, which did not say how good it is.</summary>
    NotJudged,
}
