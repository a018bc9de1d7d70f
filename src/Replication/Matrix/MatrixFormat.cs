namespace RedisLatency.Replication.Matrix;

/// <summary>How a table of delays is printed.</summary>
internal enum MatrixFormat
{
    /// <summary>Columns for people.</summary>
    Text,

    /// <summary>A table of Markdown.</summary>
    Markdown,

    /// <summary>A row for each pair, in milliseconds.</summary>
    Csv,

    /// <summary>An object for each pair, in nanoseconds.</summary>
    Json,
}
