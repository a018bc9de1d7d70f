using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>The options that say which Redis is spoken to; every service includes them.</summary>
public static class TargetCatalogue
{
    private const string TlsGroup = "TLS (with rediss:// or ssl=True)";

    private static readonly TimeSpan LeastTimeout = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan MostTimeout = TimeSpan.FromHours(1);

    /// <summary>The options of the groups Target and TLS, in the section Redis.</summary>
    /// <param name="endpointProblem">What is wrong with an endpoint, or null; it must not repeat passwords.</param>
    /// <param name="maskEndpoint">Hides the password in an endpoint, also in one that is wrong.</param>
    /// <param name="hasInProcess">Whether the service has a server of its own.</param>
    public static OptionCatalogue<TargetOptions> Create(
        Func<string, string?> endpointProblem, Func<string, string> maskEndpoint, bool hasInProcess = false) =>
        new OptionCatalogue<TargetOptions>("Redis")
            .Group("Target")
            .AddList("--redis", o => o.Given, Syntax.Text("ENDPOINT", endpointProblem),
                "The server: redis://, rediss://, unix:, host:port, a cloud portal's connection string; "
                + "redis+cluster:// for a cluster, redis+sentinel:// for the primary that Sentinels know"
                + (hasInProcess ? $"; {TargetOptions.InProcess} for the server inside this tool" : string.Empty),
                key: "Endpoint", mask: maskEndpoint, word: "SERVER")
            .Add("--driver", o => o.Driver, Syntax.Choice<DriverKind>(),
                "The client: raw measures most exactly, stackexchange shows what an application sees")
            .Rule(["--redis"], o => o.Given.Count > 1 && o.Given.Contains(TargetOptions.InProcess)
                ? $"{TargetOptions.InProcess} stands alone; --floor measures it beside a server"
                : null)
            .Rule(["--other-user", "--other-password-file"], o => o.Given.Count < 2
                && (o.OtherUser is not null || o.OtherPasswordFile is not null)
                ? "it is for a second endpoint"
                : null)
            .Include(CreateConnections(), o => o);

    /// <summary>The same for a service of one server: it has no other, with a user and a password of its own.</summary>
    public static OptionCatalogue<TargetOptions> CreateOfOne(
        Func<string, string?> endpointProblem, Func<string, string> maskEndpoint) =>
        Create(endpointProblem, maskEndpoint).Except("--other-user", "--other-password-file");

    /// <summary>
    /// The same without endpoints and driver, for a service that names its endpoints by their roles: how connections to
    /// all of them are opened.
    /// </summary>
    public static OptionCatalogue<TargetOptions> CreateConnections() =>
        new OptionCatalogue<TargetOptions>("Redis")
            .Group("Target")
            .Add("--user", o => o.User, Syntax.OptionalText("NAME"), "The ACL user, if the endpoint has none")
            .Add("--password-file", o => o.PasswordFile, Syntax.OptionalText("FILE"),
                "Read the password from the first line of a file; the variable REDISCLI_AUTH works too")
            .Add("--other-user", o => o.OtherUser, Syntax.OptionalText("NAME"),
                "The ACL user at every endpoint but the first, if it has none")
            .Add("--other-password-file", o => o.OtherPasswordFile, Syntax.OptionalText("FILE"),
                "Read the password of every endpoint but the first from a file")
            .Add("--askpass", o => o.AskPassword, Syntax.Flag,
                "Ask for the password on the terminal", key: "AskPassword")
            .Add("--protocol", o => o.Protocol, Syntax.Choice<ProtocolChoice>(), "The version of RESP to speak")
            .Add("--connect-timeout", o => o.ConnectTimeout, Syntax.Duration(LeastTimeout, MostTimeout),
                "Timeout for a connection, with its TLS handshake and login")
            .Add("--command-timeout", o => o.CommandTimeout, Syntax.Duration(LeastTimeout, MostTimeout),
                "The longest wait for the reply to a command")
            .Add("--idle-timeout", o => o.IdleTimeout, Syntax.Duration(most: MostTimeout),
                "After this time without data the kernel checks the connection; 0 never checks")
            .Rule(["--password-file", "--askpass"], o => o.PasswordFile is not null && o.AskPassword
                ? "use only one of them to give the password"
                : null)
            .Include(CreateTls(), o => o);

    /// <summary>For a service that speaks to two servers, each with certificates of its own.</summary>
    public static OptionCatalogue<TargetOptions> CreateOtherTls() =>
        new OptionCatalogue<TargetOptions>("Redis")
            .Group(TlsGroup)
            .Add("--other-tls-ca", o => o.OtherTlsAuthorities, Syntax.OptionalText("FILE"),
                "The authorities for every endpoint but the first, where it has others")
            .Add("--other-tls-cert", o => o.OtherTlsCertificate, Syntax.OptionalText("FILE"),
                "The client certificate there")
            .Add("--other-tls-key", o => o.OtherTlsKey, Syntax.OptionalText("FILE"), "That certificate's key")
            .Rule(["--other-tls-cert", "--other-tls-key"], o => o.OtherTlsCertificate is null == o.OtherTlsKey is null
                ? null
                : "a client certificate needs both files");

    /// <summary>The group TLS alone, for a command line that names servers and passwords in its own way.</summary>
    public static OptionCatalogue<TargetOptions> CreateTls() =>
        new OptionCatalogue<TargetOptions>("Redis")
            .Group(TlsGroup)
            .Add("--tls-ca", o => o.TlsAuthorities, Syntax.OptionalText("FILE"),
                "Trust the authorities in this PEM file instead of the system's")
            .Add("--tls-cert", o => o.TlsCertificate, Syntax.OptionalText("FILE"), "The client certificate, PEM")
            .Add("--tls-key", o => o.TlsKey, Syntax.OptionalText("FILE"), "The client certificate's key, PEM")
            .Add("--tls-server-name", o => o.TlsServerName, Syntax.OptionalText("NAME"),
                "The name in the server's certificate, if it differs from the endpoint's")
            .Add("--tls-insecure", o => o.TlsInsecure, Syntax.Flag, "Accept any certificate")
            .Rule(["--tls-cert", "--tls-key"], o => o.TlsCertificate is null == o.TlsKey is null
                ? null
                : "a client certificate needs both files")
            .Rule(["--tls-ca", "--tls-insecure"], o => o.TlsAuthorities is not null && o.TlsInsecure
                ? "an authority has no effect where any certificate is accepted"
                : null);
}
