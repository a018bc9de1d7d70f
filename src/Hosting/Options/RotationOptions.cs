namespace RedisLatency.Hosting.Options;

/// <summary>
/// Of a run without an end: how often its results folder is closed, and how long closed ones are kept.
/// </summary>
public sealed class RotationOptions
{
    /// <summary>Whether it runs until it is stopped.</summary>
    public bool Continuous { get; set; }

    /// <summary>How long a results folder grows; null for one folder.</summary>
    public TimeSpan? Rotate { get; set; }

    /// <summary>How long a closed folder is kept; null for ever.</summary>
    public TimeSpan? Keep { get; set; }
}
