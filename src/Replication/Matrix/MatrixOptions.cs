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
