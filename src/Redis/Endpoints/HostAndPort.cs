using System.Globalization;

namespace RedisLatency.Redis.Endpoints;

/// <summary>A host's name or address (IPv6 without brackets), and a TCP port.</summary>
public readonly record struct HostAndPort(string Host, int Port)
{
    /// <summary><c>host:6379</c>, or <c>[::1]:6379</c>.</summary>
    public override string ToString() =>
        $"{(Host.Contains(':') ? $"[{Host}]" : Host)}:{Port.ToString(CultureInfo.InvariantCulture)}";

    internal static HostAndPort NamedBy(string who, string host, string port) =>
        host.Length > 0 && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number is >= 1 and <= ushort.MaxValue
            ? new HostAndPort(host, number)
            : throw new RedisProtocolException($"{who} names the address '{host}' '{port}'");
}
