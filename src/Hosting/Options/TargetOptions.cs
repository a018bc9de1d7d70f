namespace RedisLatency.Hosting.Options;

/// <summary>Which Redis is spoken to, and how.</summary>
public sealed class TargetOptions
{
    /// <summary>The word for the server inside this tool.</summary>
    public const string InProcess = "in-process";

    /// <summary>Endpoints, connection strings, or the word for the in-process server alone, as given.</summary>
    public IReadOnlyList<string> Given { get; set; } = [];

    /// <summary>Endpoints or connection strings as given; empty for the in-process server.</summary>
    public IReadOnlyList<string> Endpoints
    {
        get => [.. Given.Where(endpoint => endpoint != InProcess)];
        set => Given = value;
    }

    public DriverKind Driver { get; set; } = DriverKind.Raw;

    /// <summary>The ACL user where the endpoint names none.</summary>
    public string? User { get; set; }

    /// <summary>A file whose first line is the password.</summary>
    public string? PasswordFile { get; set; }

    /// <summary>The same for every endpoint but the first: one login is for one endpoint.</summary>
    public string? OtherUser { get; set; }

    /// <summary>A file whose first line is the password of every endpoint but the first.</summary>
    public string? OtherPasswordFile { get; set; }

    public bool AskPassword { get; set; }

    /// <summary>A PEM file of authorities to trust instead of the system's.</summary>
    public string? TlsAuthorities { get; set; }

    public string? TlsCertificate { get; set; }
    public string? TlsKey { get; set; }

    /// <summary>Those of every endpoint but the first: given one, none of the first is used there.</summary>
    public string? OtherTlsAuthorities { get; set; }

    public string? OtherTlsCertificate { get; set; }
    public string? OtherTlsKey { get; set; }

    /// <summary>The name the server's certificate must have, where it is not the endpoint's.</summary>
    public string? TlsServerName { get; set; }

    public bool TlsInsecure { get; set; }
    public ProtocolChoice Protocol { get; set; } = ProtocolChoice.Auto;

    /// <summary>Timeout for a connection, with its TLS handshake and login. The default is 5 seconds.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest wait for a reply. The default is 5 seconds.</summary>
    public TimeSpan CommandTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The silence after which a peer is probed (TCP keep-alive). The default is 30 seconds; zero never does.
    /// </summary>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromSeconds(30);
}
