namespace RedisLatency.Hosting.RunOptions;

/// <summary>How results are printed on standard output.</summary>
public enum OutputFormat
{
    /// <summary>For people.</summary>
    Text,

    /// <summary>One JSON document.</summary>
    Json,

    /// <summary>A header and rows.</summary>
    Csv,
}
