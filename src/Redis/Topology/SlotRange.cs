namespace RedisLatency.Redis.Topology;

/// <summary>Slots that follow one another.</summary>
/// <param name="First">The first slot.</param>
/// <param name="Last">The last slot, which belongs to the range.</param>
public readonly record struct SlotRange(int First, int Last)
{
    /// <summary>How many slots they are.</summary>
    public int Count => Last - First + 1;

    /// <summary>As the cluster's own tools write it: <c>0-5460</c>, or <c>7</c>.</summary>
    public override string ToString() => First == Last ? $"{First}" : $"{First}-{Last}";
}
