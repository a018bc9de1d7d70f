namespace RedisLatency.Replication.Sides;

/// <summary>What is known of a writer's clock.</summary>
internal interface IWriterTime
{
    /// <summary>The writer's time at one of ours.</summary>
    /// <param name="ownNs">Ours.</param>
    /// <param name="writerNs">The writer's.</param>
    /// <param name="errorNs">How far that may be off.</param>
    /// <returns>False where nothing is known.</returns>
    bool TryConvert(long ownNs, out long writerNs, out long errorNs);
}
