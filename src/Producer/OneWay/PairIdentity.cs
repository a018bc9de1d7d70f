using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Producer.OneWay;

internal sealed record PairIdentity(ulong Id, string Name, ClockIdentity? Clock, bool IsSynthetic)
{
    public string HexadecimalId => Id.ToString("x16", System.Globalization.CultureInfo.InvariantCulture);
}
