namespace RedisLatency.Replication.Matrix;

/// <summary>Which runs the table is made of, and how it is printed.</summary>
internal sealed class MatrixOptions
{
    /// <summary>Folders that runs of <c>delay</c> left behind, or folders of such folders.</summary>
    public IReadOnlyList<string> Folders { get; set; } = [];

    /// <summary>Published figures to print beside; null for none.</summary>
    public string? Reference { get; set; }

    /// <summary>How it is printed.</summary>
    public MatrixFormat Format { get; set; }
}

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
