namespace RedisLatency.Redis.Psync;

/// <summary>A place in a source's stream, from which it may go on.</summary>
/// <param name="ReplicationId">Whose stream: 40 hexadecimal digits.</param>
/// <param name="Offset">The offset of the last byte that was had.</param>
public readonly record struct ReplicationPosition(string ReplicationId, long Offset)
{
    /// <summary>
    /// The offset of the last byte of data that was had: what was had behind it only keeps replicas informed. A server
    /// that took the place of the source between the two is gone on with from there.
    /// </summary>
    /// <value>The default is <see cref="Offset"/>.</value>
    public long DataOffset { get; init; } = Offset;
}
