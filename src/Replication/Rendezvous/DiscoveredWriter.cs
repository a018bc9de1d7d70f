namespace RedisLatency.Replication.Rendezvous;

/// <summary>A writer elsewhere that answers: what it announced, where that is read, and its clock.</summary>
internal sealed record DiscoveredWriter(WriterAnnouncement Announced, DestinationServers Servers, WriterClock Clock)
    : IDisposable
{
    public void Dispose() => Clock.Dispose();
}
