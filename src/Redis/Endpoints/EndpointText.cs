using System.Buffers;
using System.Globalization;

namespace RedisLatency.Redis.Endpoints;

/// <summary>Tells the forms of an endpoint apart and reads the URI ones; each error found is added to a list.</summary>
internal static class EndpointText
{
    public const string Forms =
        "write redis://host[:port][/database], with a login redis://user:password@host, rediss://… for TLS, "
        + "unix:/path/to/socket, host:port, redis+cluster://host:port,host:port, "
        + "or redis+sentinel://host:port,host:port/service";

    private const string UnescapedLogin =
        "a user or password with '/', '?', '#' or '@' in it must be percent-encoded: %2F, %3F, %23, %40";

    private static readonly SearchValues<char> NotInHost = SearchValues.Create(" \t/\\?#%");
    private static readonly string[] PlainSchemes = ["redis://", "valkey://", "tcp://"];
    private static readonly string[] TlsSchemes = ["rediss://", "valkeys://"];
    private static readonly string[] ClusterSchemes = ["redis+cluster://", "valkey+cluster://"];
    private static readonly string[] TlsClusterSchemes = ["rediss+cluster://", "valkeys+cluster://"];
    private static readonly string[] SentinelSchemes = ["redis+sentinel://", "valkey+sentinel://"];
    private static readonly string[] TlsSentinelSchemes = ["rediss+sentinel://", "valkeys+sentinel://"];

    public static RedisEndpoint Read(string text, List<string> errors)
    {
        if (text.Length == 0)
            return Fail(errors, $"the endpoint is empty: {Forms}");
        if (AfterScheme(text, PlainSchemes) is { } plain)
            return ReadAuthority(plain, new RedisEndpoint(), errors);
        if (AfterScheme(text, TlsSchemes) is { } tls)
            return ReadAuthority(tls, new RedisEndpoint { UseTls = true }, errors);
        if (TryReadTopology(text, errors) is { } several)
            return several;
        if (AfterScheme(text, ["unix://"]) is { } withLogin)
            return ReadSocket(withLogin, mayHaveLogin: true, errors);
        if (AfterScheme(text, ["unix:"]) is { } path)
            return ReadSocket(path, mayHaveLogin: false, errors);
        if (text.Contains(',') || text.Contains('='))
            return ConnectionStringText.Read(text, errors);
        if (text.Contains("://"))
            return Fail(errors, $"the scheme is not known: {Forms}");
        // What stands before the @ may be a password: nothing of it is repeated.
        if (text.Contains('@'))
            return Fail(errors, "a user or password needs the form redis://user:password@host:port");
        if (text[0] is '/' or '.' or '~' && text.Contains('/'))
            return Fail(errors, "a path is that of a socket: write unix:/path/to/socket");
        return ReadHostAndPort(text, new RedisEndpoint(), errors);
    }

    /// <summary>Reads <c>host</c>, <c>host:port</c>, <c>[v6]</c> or <c>[v6]:port</c>.</summary>
    public static RedisEndpoint ReadHostAndPort(string text, RedisEndpoint endpoint, List<string> errors)
    {
        string host, port;
        var isAddress = text.StartsWith('[');
        if (isAddress)
        {
            var end = text.IndexOf(']');
            if (end < 0 || !System.Net.IPAddress.TryParse(text[1..end], out _))
                return Fail(errors, "what stands in brackets is no IPv6 address: write [::1]:6379");
            (host, port) = (text[1..end], text[(end + 1)..]);
        }
        else
        {
            var colon = text.IndexOf(':');
            if (colon >= 0 && text.IndexOf(':', colon + 1) >= 0)
                return Fail(errors, "the host has several colons: an IPv6 address stands in brackets, [::1]:6379");
            (host, port) = colon < 0 ? (text, string.Empty) : (text[..colon], text[colon..]);
        }

        if (host.Length == 0)
            errors.Add("the host is missing");
        else if (!isAddress && host.AsSpan().IndexOfAny(NotInHost) >= 0)
            errors.Add("the host has characters that no host name has");
        else if (port.Length == 0 && IsNumber($":{host}"))
            errors.Add("a number alone is no host: write host:port");
        if (port.Contains('/'))
            return Fail(errors, $"a database stands in an address with a scheme: redis://{host}{port}");
        if (port.Length == 0)
            return endpoint with { Host = host };
        if (port[0] != ':' || !int.TryParse(port[1..], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || number is < 1 or > 65535)
            return Fail(errors, $"the port {(IsNumber(port) ? port[1..] : "is no number")}: 1 to 65535 is right");
        return endpoint with { Host = host, Port = number };
    }

    public static int ReadDatabase(string text, List<string> errors)
    {
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var database))
            return database;
        errors.Add("the database is no number from 0");
        return 0;
    }

    private static (string Authority, string PathAndQuery) SplitAuthority(string text)
    {
        var end = text.AsSpan().IndexOfAny("/?#");
        return end < 0 ? (text, string.Empty) : (text[..end], text[end..]);
    }

    // A password given without its '@' lands where a port is expected: only digits are repeated.
    private static bool IsNumber(string port) =>
        port.Length > 1 && port.AsSpan(1).IndexOfAnyExceptInRange('0', '9') < 0;

    private static RedisEndpoint? TryReadTopology(string text, List<string> errors)
    {
        foreach (var (schemes, topology, useTls) in (ReadOnlySpan<(string[], EndpointTopology, bool)>)
        [
            (ClusterSchemes, EndpointTopology.Cluster, false), (TlsClusterSchemes, EndpointTopology.Cluster, true),
            (SentinelSchemes, EndpointTopology.Sentinel, false), (TlsSentinelSchemes, EndpointTopology.Sentinel, true),
        ])
        {
            if (AfterScheme(text, schemes) is { } rest)
                return ReadAuthority(rest, new RedisEndpoint { Topology = topology, UseTls = useTls }, errors);
        }

        return null;
    }

    private static RedisEndpoint ReadAuthority(string text, RedisEndpoint endpoint, List<string> errors)
    {
        var (authority, rest) = SplitAuthority(text);
        if (rest.Contains('@'))
            return Fail(errors, UnescapedLogin);
        var at = authority.LastIndexOf('@');
        if (at >= 0)
            endpoint = ReadLogin(authority[..at], endpoint, errors);
        var (hosts, isAlone) = (authority[(at + 1)..], endpoint.Topology == EndpointTopology.Standalone);
        endpoint = isAlone
            ? ReadHostAndPort(hosts, endpoint, errors)
            : TopologyText.ReadHosts(hosts, endpoint, errors);
        var query = rest.IndexOf('?');
        var path = (query < 0 ? rest : rest[..query]).Trim('/');
        if (!isAlone)
            endpoint = TopologyText.ReadPath(path, endpoint, errors);
        else if (path.Length > 0)
            endpoint = endpoint with { Database = ReadDatabase(path, errors) };
        return query < 0 ? endpoint : TopologyText.ReadQuery(rest[(query + 1)..], endpoint, errors);
    }

    private static RedisEndpoint ReadSocket(string text, bool mayHaveLogin, List<string> errors)
    {
        var endpoint = new RedisEndpoint();
        var slash = text.IndexOf('/');
        var at = mayHaveLogin ? text.LastIndexOf('@', slash < 0 ? text.Length - 1 : slash) : -1;
        if (at >= 0)
            endpoint = ReadLogin(text[..at], endpoint, errors);
        var rest = text[(at + 1)..];
        if (mayHaveLogin && !rest.StartsWith('/'))
            return Fail(errors, "the socket's path must be absolute after unix://: unix:///path/to/socket");
        var query = rest.IndexOf('?');
        var path = query < 0 ? rest : rest[..query];
        if (path.Length == 0)
            errors.Add("the socket's path is missing: unix:/path/to/socket");
        endpoint = endpoint with { SocketPath = Decode(path, "the socket's path", errors) };
        return query < 0 ? endpoint : TopologyText.ReadQuery(rest[(query + 1)..], endpoint, errors);
    }

    private static RedisEndpoint ReadLogin(string text, RedisEndpoint endpoint, List<string> errors)
    {
        var colon = text.IndexOf(':');
        var user = Decode(colon < 0 ? text : text[..colon], "the user", errors);
        var password = colon < 0 ? null : Decode(text[(colon + 1)..], "the password", errors);
        return endpoint with
        {
            User = user.Length == 0 ? null : user,
            Password = string.IsNullOrEmpty(password) ? null : new RedisPassword(password),
        };
    }

    public static string Decode(string text, string what, List<string> errors)
    {
        for (var i = text.IndexOf('%'); i >= 0; i = text.IndexOf('%', i + 1))
        {
            if (i + 2 < text.Length && char.IsAsciiHexDigit(text[i + 1]) && char.IsAsciiHexDigit(text[i + 2]))
                continue;
            errors.Add($"{what} holds a '%' that is not followed by two hexadecimal digits: write %25 for '%' itself");
            return string.Empty;
        }

        return Uri.UnescapeDataString(text);
    }

    private static string? AfterScheme(string text, ReadOnlySpan<string> schemes)
    {
        foreach (var scheme in schemes)
        {
            if (text.StartsWith(scheme, StringComparison.OrdinalIgnoreCase))
                return text[scheme.Length..];
        }

        return null;
    }

    public static RedisEndpoint Fail(List<string> errors, string error)
    {
        errors.Add(error);
        return new RedisEndpoint();
    }
}
