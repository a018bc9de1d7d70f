using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Hosting.Running;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>Ends of routes: <c>127.0.0.1:7001</c>, <c>[::1]:7001</c>, <c>redis.lan:6379</c>.</summary>
internal static class AddressSyntax
{
    private const string Form = "an address and a port are needed, for instance 127.0.0.1:7001";

    public static string? Problem(string text) => TrySplit(text, out _, out _) ? null : Form;

    public static string? RouteProblem(string text) => text.Split('=') is [var listen, var to]
        && TrySplit(listen, out _, out _) && TrySplit(to, out _, out _)
            ? null
            : "two addresses are needed, for instance 127.0.0.1:7002=127.0.0.1:7777";

    /// <summary>The route of two addresses that have no <see cref="Problem"/>; names are looked up.</summary>
    public static LinkRoute Route(LinkProtocol protocol, string listen, string to) =>
        new(protocol, Find(listen), Find(to));

    private static IPEndPoint Find(string text)
    {
        _ = TrySplit(text, out var host, out var port);
        if (IPAddress.TryParse(host, out var address))
            return new IPEndPoint(address, port);
        try
        {
            var found = Dns.GetHostAddresses(host);
            return new IPEndPoint(
                Array.Find(found, one => one.AddressFamily == AddressFamily.InterNetwork) ?? found[0], port);
        }
        catch (SocketException failure)
        {
            throw new RunRefusedException($"{host} is not known: {failure.Message}", failure);
        }
    }

    private static bool TrySplit(string text, out string host, out int port)
    {
        var colon = text.LastIndexOf(':');
        host = colon > 0 ? text[..colon].Trim('[', ']') : string.Empty;
        port = 0;
        return host.Length > 0
            && (text[0] == '[' || !host.Contains(':', StringComparison.Ordinal))
            && int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port <= IPEndPoint.MaxPort;
    }
}
