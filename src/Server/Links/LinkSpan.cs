namespace RedisLatency.Server.Links;

/// <summary>A stretch of a link's life.</summary>
/// <param name="At">When it begins, from the link's start.</param>
/// <param name="For">How long it lasts.</param>
public readonly record struct LinkSpan(TimeSpan At, TimeSpan For)
{
    /// <summary>When it is over, from the link's start.</summary>
    public TimeSpan End => At + For;
}
