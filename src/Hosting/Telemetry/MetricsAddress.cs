using System.Net;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Where metrics are served: <c>http://ADDRESS:PORT</c>, an address of this machine.</summary>
public static class MetricsAddress
{
    private const string Scheme = "http://";

    public static string? Problem(string text) =>
        Parse(text) is null
            ? "http://ADDRESS:PORT is needed, an address of this machine, for instance http://127.0.0.1:9121"
            : null;

    /// <summary>The address; port 0 is any that is free. Null where it is none.</summary>
    internal static IPEndPoint? Parse(string text)
    {
        if (!text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
            return null;
        var place = text[Scheme.Length..].TrimEnd('/');
        var colon = place.LastIndexOf(':');
        if (colon <= 0 || !ushort.TryParse(place.AsSpan(colon + 1), out var port))
            return null;
        var host = place[..colon];
        // Without brackets the last part of an IPv6 address would be taken for the port.
        var isBracketed = host.StartsWith('[') && host.EndsWith(']');
        if (host.Contains(':', StringComparison.Ordinal) && !isBracketed)
            return null;
        if (host.Equals("localhost", StringComparison.OrdinalIgnoreCase))
            return new IPEndPoint(IPAddress.Loopback, port);
        return IPAddress.TryParse(isBracketed ? host[1..^1] : host, out var address)
            ? new IPEndPoint(address, port)
            : null;
    }
}
