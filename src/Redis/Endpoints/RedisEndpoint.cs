using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace RedisLatency.Redis.Endpoints;

/// <summary>
/// Where a Redis is and how to log in to it. Written as <c>redis://[user[:password]@]host[:port][/database]</c>,
/// <c>rediss://…</c> for TLS, <c>unix:/path/to/socket?db=1</c>, <c>host:port</c>, or as the connection string that
/// cloud portals hand out: <c>host:6380,password=…,ssl=True,abortConnect=False</c>; a cluster as
/// <c>redis+cluster://host:port,host:port</c>, the primary that Sentinels know as
/// <c>redis+sentinel://host:port,host:port/service[/database]</c>. Its text never shows a login: a user may be a
/// password at the wrong place.
/// </summary>
public sealed record RedisEndpoint
{
    /// <summary>The port where none is given.</summary>
    public const int DefaultPort = 6379;

    /// <summary>The port of a Sentinel where none is given.</summary>
    public const int DefaultSentinelPort = 26379;

    /// <summary>What the addresses are the addresses of.</summary>
    public EndpointTopology Topology { get; init; }

    /// <summary>The host's name or address, IPv6 without brackets; empty for a Unix socket.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>The TCP port.</summary>
    public int Port { get; init; } = DefaultPort;

    /// <summary>More addresses, of a cluster's servers or of Sentinels.</summary>
    public AddressList OtherAddresses { get; init; } = AddressList.Empty;

    /// <summary>The name under which the Sentinels know the primary, or null where there are none.</summary>
    public string? Service { get; init; }

    /// <summary>
    /// The user for the Sentinels themselves, or null; <see cref="User"/> and <see cref="Password"/> are for the
    /// servers.
    /// </summary>
    public string? SentinelUser { get; init; }

    /// <summary>The password for the Sentinels themselves, or null.</summary>
    public RedisPassword? SentinelPassword { get; init; }

    /// <summary>The path of a Unix socket, or null.</summary>
    public string? SocketPath { get; init; }

    /// <summary>Whether TLS is spoken.</summary>
    public bool UseTls { get; init; }

    /// <summary>The user, or null for the default user.</summary>
    public string? User { get; init; }

    /// <summary>The password, or null.</summary>
    public RedisPassword? Password { get; init; }

    /// <summary>The database to select.</summary>
    public int Database { get; init; }

    /// <summary>How TLS trusts and shows certificates.</summary>
    public TlsOptions Tls { get; init; } = new();

    /// <summary>The name for the connection, where the endpoint's text gave one.</summary>
    public string? ClientName { get; init; }

    /// <summary>The limit for connecting, where the endpoint's text gave one; it wins over the options.</summary>
    public TimeSpan? ConnectTimeout { get; init; }

    /// <summary>The limit for a command, where the endpoint's text gave one; it wins over the options.</summary>
    public TimeSpan? CommandTimeout { get; init; }

    /// <summary>
    /// What a connection string says to StackExchange.Redis, as it was given and without the password; empty where the
    /// endpoint is no connection string.
    /// </summary>
    public string ClientOptions { get; init; } = string.Empty;

    /// <summary>
    /// Where it is, without user, password and database: <c>host:6379</c>, several with commas, or a socket's path.
    /// </summary>
    public string Address => SocketPath ?? string.Join(',', OtherAddresses.Prepend(new HostAndPort(Host, Port)));

    /// <summary>Each address as an endpoint of one server, with everything else that was said.</summary>
    public IReadOnlyList<RedisEndpoint> Servers => SocketPath is not null
        ? [AsStandalone()]
        : [.. OtherAddresses.Prepend(new HostAndPort(Host, Port)).Select(At)];

    /// <summary>The endpoint of the server at another address, with the same login, TLS and limits.</summary>
    public RedisEndpoint At(HostAndPort address) =>
        AsStandalone() with { Host = address.Host, Port = address.Port, SocketPath = null };

    /// <summary>Reads any of the forms.</summary>
    /// <exception cref="FormatException">
    /// It is none of them; the message says everything that is wrong, and never the password.
    /// </exception>
    public static RedisEndpoint Parse(string text) =>
        TryParse(text, out var endpoint, out var error) ? endpoint : throw new FormatException(error);

    /// <summary>Reads any of the forms.</summary>
    public static bool TryParse(
        string? text,
        [NotNullWhen(true)] out RedisEndpoint? endpoint,
        [NotNullWhen(false)] out string? error)
    {
        var errors = new List<string>();
        endpoint = EndpointText.Read(text?.Trim() ?? string.Empty, errors);
        error = null;
        if (errors.Count == 0)
            return true;
        endpoint = null;
        error = string.Join("; ", errors);
        return false;
    }

    /// <summary>The endpoint as a URI, with <c>***</c> in the places of user and password.</summary>
    public override string ToString()
    {
        var login = (User, Password) switch
        {
            (null, null) => string.Empty,
            (null, _) => ":***@",
            (_, null) => "***@",
            _ => "***:***@",
        };
        var database = Database.ToString(CultureInfo.InvariantCulture);
        if (SocketPath is not null)
        {
            var start = login.Length == 0 ? "unix:" : $"unix://{login}";
            return $"{start}{SocketPath}{(Database == 0 ? string.Empty : $"?db={database}")}";
        }

        if (Topology != EndpointTopology.Standalone)
            return TopologyText.Write(this, login);
        return $"{(UseTls ? "rediss" : "redis")}://{login}{Address}/{database}";
    }

    private RedisEndpoint AsStandalone() => this with
    {
        Topology = EndpointTopology.Standalone,
        OtherAddresses = AddressList.Empty,
        Service = null,
        SentinelUser = null,
        SentinelPassword = null,
    };
}

/// <summary>How TLS verifies the server, and which certificate the client shows.</summary>
public sealed record TlsOptions
{
    /// <summary>A PEM file of the authorities to trust instead of the machine's own.</summary>
    public string? CaFile { get; init; }

    /// <summary>A PEM file with the client's certificate (and perhaps its key).</summary>
    public string? CertificateFile { get; init; }

    /// <summary>A PEM file with the client's private key, where it is not in the certificate's file.</summary>
    public string? KeyFile { get; init; }

    /// <summary>The name that the server's certificate must bear.</summary>
    /// <value>The default is the endpoint's host.</value>
    public string? ServerName { get; init; }

    /// <summary>Accepts any certificate: traffic is encrypted, but anybody may be at the other end.</summary>
    public bool InsecureSkipVerify { get; init; }
}
