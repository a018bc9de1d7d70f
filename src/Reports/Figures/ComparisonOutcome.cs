namespace RedisLatency.Reports.Figures;

/// <summary>How the other is, against the first.</summary>
public enum ComparisonOutcome
{
    /// <summary>One is one of the values that the ratio may have.</summary>
    NoDifferenceShown,

    /// <summary>It is quicker.</summary>
    Better,

    /// <summary>It is slower.</summary>
    Worse,
}
