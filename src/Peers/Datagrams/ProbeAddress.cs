using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Peers.Datagrams;

/// <summary>Where probes are answered over UDP: <c>udp://HOST:PORT</c>.</summary>
/// <param name="Host">A name, an IPv4 address, or an IPv6 address without brackets.</param>
/// <param name="Port">The port; 0, for an answerer, is any that is free.</param>
public sealed record ProbeAddress(string Host, int Port)
{
    private const string Scheme = "udp://";

    // A DNS name has at most 253 characters, and an IPv6 address with a zone fewer.
    private const int LongestText = 300;

    /// <summary>Whether the address names no host, so that nobody can be sent to it.</summary>
    public bool IsAnyHost => IPAddress.TryParse(Host, out var address)
        && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));

    /// <summary>Reads <c>udp://HOST:PORT</c>, an IPv6 address in brackets.</summary>
    /// <returns>Null where it is something else.</returns>
    public static ProbeAddress? Parse(string? text)
    {
        if (text is null || text.Length > LongestText || !text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
            return null;
        var rest = text.AsSpan(Scheme.Length);
        var colon = rest.LastIndexOf(':');
        if (colon <= 0
            || !ushort.TryParse(rest[(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var port))
            return null;
        var host = rest[..colon];
        if (host[0] == '[')
        {
            return host[^1] == ']' && IPAddress.TryParse(host[1..^1], out var address)
                && address.AddressFamily == AddressFamily.InterNetworkV6
                ? new ProbeAddress(host[1..^1].ToString(), port)
                : null;
        }

        var name = host.ToString();
        return Uri.CheckHostName(name) is UriHostNameType.Dns or UriHostNameType.IPv4
            ? new ProbeAddress(name, port)
            : null;
    }

    /// <summary>As it is typed.</summary>
    public override string ToString() => Host.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"{Scheme}[{Host}]:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{Scheme}{Host}:{Port}");

    /// <summary>The addresses of the host; asks the resolver where it is a name.</summary>
    internal IPAddress[] Resolve() =>
        IPAddress.TryParse(Host, out var address) ? [address] : Dns.GetHostAddresses(Host);
}
