using System.Runtime.Serialization;

namespace RedisLatency.Hosting.RunOptions;

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

    /// <summary>What carries the messages.</summary>
    public DriverKind Driver { get; set; } = DriverKind.Raw;

    /// <summary>The ACL user where the endpoint names none.</summary>
    public string? User { get; set; }

    /// <summary>A file whose first line is the password.</summary>
    public string? PasswordFile { get; set; }

    /// <summary>Whether to ask for the password on the terminal.</summary>
    public bool AskPassword { get; set; }

    /// <summary>A PEM file of authorities to trust instead of the system's.</summary>
    public string? TlsAuthorities { get; set; }

    /// <summary>The client certificate, PEM.</summary>
    public string? TlsCertificate { get; set; }

    /// <summary>The client certificate's key, PEM.</summary>
    public string? TlsKey { get; set; }

    /// <summary>The name the server's certificate must have, where it is not the endpoint's.</summary>
    public string? TlsServerName { get; set; }

    /// <summary>Whether any certificate will do.</summary>
    public bool TlsInsecure { get; set; }

    /// <summary>The version of RESP.</summary>
    public ProtocolChoice Protocol { get; set; } = ProtocolChoice.Auto;

    /// <summary>The longest wait for a connection, its TLS and its login together. The default is 5 seconds.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest wait for a reply. The default is 5 seconds.</summary>
    public TimeSpan CommandTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The silence after which a peer is probed (TCP keep-alive). The default is 30 seconds; zero never does.
    /// </summary>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromSeconds(30);
}

/// <summary>What carries messages to Redis.</summary>
public enum DriverKind
{
    /// <summary>The instrument: as little as possible between the stamp and the socket.</summary>
    Raw,

    /// <summary>What an application sees: StackExchange.Redis.</summary>
    [EnumMember(Value = "stackexchange")]
    StackExchange,
}

/// <summary>Which version of RESP is spoken.</summary>
public enum ProtocolChoice
{
    /// <summary>RESP3 where the server knows it, else RESP2.</summary>
    Auto,

    /// <summary>RESP2.</summary>
    [EnumMember(Value = "2")]
    Resp2,

    /// <summary>RESP3 or nothing.</summary>
    [EnumMember(Value = "3")]
    Resp3,
}
