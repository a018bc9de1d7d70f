namespace RedisLatency.Server.Clients;

/// <summary>What INFO tells; written by the server's thread alone.</summary>
internal sealed class ServerStatistics
{
    public long ConnectionsAccepted { get; set; }

    public long CommandsProcessed { get; set; }

    public long BytesReceived { get; set; }

    public long KeyspaceHits { get; set; }

    public long KeyspaceMisses { get; set; }

    public long SubscribersDropped { get; set; }
}
