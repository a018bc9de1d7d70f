using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

internal sealed class ServerState
{
    public ServerState(InProcessServerOptions options, FaultScript faults)
    {
        Options = options;
        Faults = faults;
        Clock = new ServerClock(options.TimeProvider);
        Database = new Database(Clock);
        Messages = new MessageDelivery(faults, Flushes, options.OutputBufferLimit, Statistics);
        StartedAt = Clock.Milliseconds;
    }

    public InProcessServerOptions Options { get; }

    public FaultScript Faults { get; }

    public ServerClock Clock { get; }

    public Database Database { get; }

    public ServerStatistics Statistics { get; } = new();

    public FlushQueue Flushes { get; } = new();

    public MessageDelivery Messages { get; }

    /// <summary>When the server started, in milliseconds since the Unix epoch.</summary>
    public long StartedAt { get; }

    /// <summary>The connected clients, by their token; null where a token is free.</summary>
    public List<ClientConnection?> Clients { get; } = [];

    public int ClientCount { get; set; }

    public int Port { get; set; }

    public string PollerName { get; set; } = string.Empty;
}
