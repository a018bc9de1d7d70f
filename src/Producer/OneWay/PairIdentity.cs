using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Producer.OneWay;

/// <summary>A consumer as one-way results name it, where it stands, and which clock it reads.</summary>
internal sealed record PairIdentity(ulong Id, string Name, string? Region, ClockIdentity? Clock, bool IsSynthetic)
{
    public string HexadecimalId => Id.ToString("x16", System.Globalization.CultureInfo.InvariantCulture);
}
