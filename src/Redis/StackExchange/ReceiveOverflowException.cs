using System.Globalization;

namespace RedisLatency.Redis.StackExchange;

/// <summary>Messages came faster than the measuring thread took them, and some are gone.</summary>
/// <param name="count">How many are gone.</param>
/// <param name="capacity">How many may wait.</param>
public sealed class ReceiveOverflowException(long count, int capacity) : RedisException(string.Create(
    CultureInfo.InvariantCulture,
    $"{count} messages were received but not taken in time: more than {capacity} were waiting to be measured."))
{
    /// <summary>How many messages are gone since this was last thrown.</summary>
    public long Count { get; } = count;
}
