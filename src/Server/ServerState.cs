using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

internal sealed class ServerState
{
    public const int DatabaseCount = 16;

    public ServerState(InProcessServerOptions options, FaultScript faults)
    {
        Options = options;
        Faults = faults;
        Clock = new ServerClock(options.TimeProvider);
        Databases = [.. Enumerable.Range(0, DatabaseCount).Select(_ => new Database(Clock))];
        Messages = new MessageDelivery(faults, Flushes, options.OutputBufferLimit, Statistics);
        DefaultUser = new ServerUser("default", options.Password);
        StartedAt = Clock.Milliseconds;
    }

    public InProcessServerOptions Options { get; }

    public FaultScript Faults { get; }

    public ServerClock Clock { get; }

    public Database[] Databases { get; }

    public ServerStatistics Statistics { get; } = new();

    public FlushQueue Flushes { get; } = new();

    public MessageDelivery Messages { get; }

    public ServerUser DefaultUser { get; }

    /// <summary>When the server started, in milliseconds since the Unix epoch.</summary>
    public long StartedAt { get; }

    /// <summary>The connected clients, by their token; null where a token is free.</summary>
    public List<ClientConnection?> Clients { get; } = [];

    public int ClientCount { get; set; }

    public int Port { get; set; }

    public string PollerName { get; set; } = string.Empty;

    public ServerUser? FindUser(ReadOnlySpan<byte> name, ReadOnlySpan<byte> password)
    {
        foreach (var user in Options.Users.Prepend(DefaultUser))
        {
            if (Same(user.Name, name))
                return user.Password is null || Same(user.Password, password) ? user : null;
        }

        return null;
    }

    private static bool Same(string text, ReadOnlySpan<byte> bytes) =>
        System.Text.Encoding.UTF8.GetBytes(text).AsSpan().SequenceEqual(bytes);
}
