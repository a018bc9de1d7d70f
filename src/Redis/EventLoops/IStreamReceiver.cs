namespace RedisLatency.Redis.EventLoops;

/// <summary>What a <see cref="StreamLoop"/> tells its owner, always on the thread that polls it.</summary>
public interface IStreamReceiver
{
    /// <summary>Bytes have come.</summary>
    /// <param name="token">On which connection.</param>
    /// <param name="bytes">At least one; valid until the call returns.</param>
    void Received(int token, ReadOnlySpan<byte> bytes);

    /// <summary>A connection has ended; the loop has forgotten it, and its owner closes it.</summary>
    /// <param name="token">Which connection.</param>
    /// <param name="cause">What the system says, or null where the other side closed in good order.</param>
    void Ended(int token, string? cause);
}
