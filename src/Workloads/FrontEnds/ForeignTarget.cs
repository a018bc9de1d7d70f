using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Where another tool was told to connect to.</summary>
internal sealed class ForeignTarget
{
    public string Host { get; set; } = "127.0.0.1";
    public int Port { get; set; } = RedisEndpoint.DefaultPort;
    public string? Socket { get; set; }
    public string? Uri { get; set; }
    public string? User { get; set; }
    public string? Password { get; set; }
    public int? Database { get; set; }
    public bool IsTls { get; set; }

    // What the option is called by which any certificate is accepted.
    public string InsecureOption { get; init; } = "--insecure";

    public string UriWithoutPassword => Uri is { } uri ? ParseUri(uri).ToString() : string.Empty;

    // All of them speak RESP2 unless told otherwise; a miss has two bytes more there than in RESP3.
    public TargetOptions Options { get; } = new() { Protocol = ProtocolChoice.Resp2 };

    /// <summary>The server with its login; a password of the environment where none was given.</summary>
    /// <exception cref="ConfigurationException">The URI is none, or a file is missing.</exception>
    public ResolvedTarget Resolve(IReadOnlyDictionary<string, string> environment)
    {
        var endpoint = Uri is { } uri
            ? ParseUri(uri)
            : new RedisEndpoint { Host = Host, Port = Port, SocketPath = Socket };
        endpoint = endpoint with
        {
            User = User ?? endpoint.User,
            Password = Password is { Length: > 0 } password ? new RedisPassword(password) : endpoint.Password,
            Database = Database ?? endpoint.Database,
            UseTls = IsTls || endpoint.UseTls,
        };
        CheckTls(endpoint);
        Options.Given = [endpoint.UseTls ? "rediss://localhost" : "redis://localhost"];
        var resolved = TargetResolution.Resolve(Options, environment, PasswordPrompt.Ask)[0];
        Options.Given = [endpoint.Address];
        return resolved with
        {
            Endpoint = endpoint with
            {
                Tls = resolved.Endpoint.Tls,
                Password = endpoint.Password ?? resolved.Endpoint.Password,
            },
        };
    }

    // By the tool's own names; they are the same in all but one.
    private void CheckTls(RedisEndpoint endpoint)
    {
        List<(string Name, string? File)> given =
        [
            ("--cacert", Options.TlsAuthorities), ("--cert", Options.TlsCertificate), ("--key", Options.TlsKey),
        ];
        given.RemoveAll(one => one.File is null);
        var missing = given.Where(one => !File.Exists(one.File));
        List<string> problems = [.. missing.Select(one => $"{one.Name} {one.File}: there is no such file")];
        if (Options.TlsServerName is not null)
            given.Add(("--sni", null));
        if (Options.TlsInsecure)
            given.Add((InsecureOption, null));
        if (given.Count > 0 && !endpoint.UseTls)
        {
            var names = string.Join(", ", given.Select(one => one.Name));
            problems.Add($"{names}: {endpoint} is spoken to without TLS; add --tls");
        }

        if (problems.Count > 0)
            throw new ConfigurationException(problems);
    }

    private static RedisEndpoint ParseUri(string uri)
    {
        var known = uri.StartsWith("valkey", StringComparison.Ordinal) ? $"redis{uri["valkey".Length..]}" : uri;
        try
        {
            var endpoint = RedisEndpoint.Parse(known);
            // What stands alone before the @ is the password to these tools.
            return endpoint is { User: { } word, Password: null } && !known[..known.LastIndexOf('@')].EndsWith(':')
                ? endpoint with { User = null, Password = new RedisPassword(word) }
                : endpoint;
        }
        catch (FormatException problem)
        {
            throw new ConfigurationException($"the URI cannot be read: {problem.Message}");
        }
    }
}
