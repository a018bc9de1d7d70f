using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Hosting.Results;

/// <summary>Which saved run is shown, and how.</summary>
public sealed class ShowOptions
{
    /// <summary>The run's results folder, or its run.json.</summary>
    public string Folder { get; set; } = string.Empty;

    /// <summary>How it is printed.</summary>
    public OutputFormat Format { get; set; } = OutputFormat.Text;
}
