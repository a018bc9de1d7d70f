namespace RedisLatency.Reports.Output;

/// <summary>A writer that knows how wide the page is that it prints on: a terminal.</summary>
public interface IPage
{
    /// <summary>Columns.</summary>
    int Width { get; }
}
