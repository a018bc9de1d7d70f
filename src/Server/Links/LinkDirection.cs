namespace RedisLatency.Server.Links;

/// <summary>One of the two ways through a link.</summary>
public enum LinkDirection
{
    /// <summary>From whoever connected to the link to where it leads.</summary>
    Forward,

    /// <summary>From where it leads back to whoever connected.</summary>
    Back,
}
