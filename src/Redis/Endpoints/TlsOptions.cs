namespace RedisLatency.Redis.Endpoints;

/// <summary>How TLS trusts the server and shows the client.</summary>
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
