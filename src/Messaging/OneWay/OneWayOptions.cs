namespace RedisLatency.Messaging.OneWay;

/// <summary>How one consumer's messages are corrected.</summary>
public sealed record OneWayOptions
{
    /// <summary>Whether the messages came back: a consumer by itself knows the forward direction alone.</summary>
    public bool HasBack { get; init; } = true;

    /// <summary>The least that the way to the consumer can take, in nanoseconds.</summary>
    /// <value>The default is 0: what is below it went backwards in time.</value>
    public long ForwardFloorNs { get; init; }

    /// <summary>The least that the way back can take, in nanoseconds.</summary>
    public long BackFloorNs { get; init; }

    /// <summary>How many messages wait in memory for their window.</summary>
    public int MostPending { get; init; } = PendingStamps.DefaultMostInMemory;

    /// <summary>The file for those beyond it, beside the results; null where there is no place for one.</summary>
    public string? SpillPath { get; init; }
}
