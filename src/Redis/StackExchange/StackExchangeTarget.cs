using System.Net;

namespace RedisLatency.Redis.StackExchange;

/// <summary>provisional</summary>
public sealed record StackExchangeTarget(EndPoint EndPoint, string? User = null, string? Password = null)
{
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    public string Transport { get; } = "tcp";

    public override string ToString() => $"{EndPoint}";
}
