namespace RedisLatency.Server.Delays;

/// <summary>How the part of a delay that varies is distributed.</summary>
public enum JitterShape
{
    /// <summary>Evenly from zero to the size.</summary>
    Uniform,

    /// <summary>Exponentially, with the size as the mean.</summary>
    Exponential,

    /// <summary>Normally around zero, with the size as the standard deviation.</summary>
    Normal,

    /// <summary>By a power law that begins at zero (Lomax), with the size as the scale.</summary>
    Pareto,
}
