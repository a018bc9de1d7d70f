namespace RedisLatency.Messaging.Sending;

/// <summary>How the times between messages are spread.</summary>
public enum Arrival
{
    /// <summary>All the same.</summary>
    Uniform,

    /// <summary>Exponential: independent users, with the bursts that they make.</summary>
    Poisson,
}
