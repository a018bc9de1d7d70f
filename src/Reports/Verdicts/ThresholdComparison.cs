namespace RedisLatency.Reports.Verdicts;

/// <summary>How the actual value must compare with the limit.</summary>
public enum ThresholdComparison
{
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}
