using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Where another tool was told to connect to.</summary>
internal sealed class ForeignTarget
{
    // They wait for a reply as long as it takes.
    private static readonly TimeSpan NoLimit = TimeSpan.FromHours(1);

    public string Host { get; set; } = "127.0.0.1";
    public int Port { get; set; } = RedisEndpoint.DefaultPort;
    public string? Socket { get; set; }
    public string? Uri { get; set; }
    public string? User { get; set; }
    public string? Password { get; set; }
    public int? Database { get; set; }
    public bool IsTls { get; set; }

    // All of them speak RESP2 unless told otherwise; a miss has two bytes more there than in RESP3.
    public TargetOptions Options { get; } = new() { CommandTimeout = NoLimit, Protocol = ProtocolChoice.Resp2 };

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

    private static RedisEndpoint ParseUri(string uri)
    {
        var known = uri.StartsWith("valkey", StringComparison.Ordinal) ? $"redis{uri["valkey".Length..]}" : uri;
        try
        {
            return RedisEndpoint.Parse(known);
        }
        catch (FormatException problem)
        {
            throw new ConfigurationException($"the URI cannot be read: {problem.Message}");
        }
    }
}
