namespace RedisLatency.Hosting.Options;

/// <summary>How results are printed on standard output.</summary>
public enum OutputFormat
{
    Text,
    Json,
    Csv,
}
