namespace RedisLatency.Replication.Rendezvous;

/// <summary>A writer elsewhere that answers: what it announced, where that is read, and its clock.</summary>
internal sealed record MetWriter(WriterAnnouncement Announced, DestinationServers Servers, SettledClock Clock)
    : IDisposable
{
    public void Dispose() => Clock.Dispose();
}
