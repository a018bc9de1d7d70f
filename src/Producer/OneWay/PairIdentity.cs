using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Producer.OneWay;

/// <summary>Whose clock is compared with ours.</summary>
/// <param name="Id">How the consumer signs its echoes.</param>
/// <param name="Name">What it calls itself, and where it stands.</param>
/// <param name="Clock">The clock that it says it reads; null where it does not say.</param>
/// <param name="IsSynthetic">Whether it says that its clock is a synthetic one.</param>
internal sealed record PairIdentity(ulong Id, string Name, ClockIdentity? Clock, bool IsSynthetic)
{
    /// <summary>The number as results write it.</summary>
    public string HexadecimalId => Id.ToString("x16", System.Globalization.CultureInfo.InvariantCulture);
}
