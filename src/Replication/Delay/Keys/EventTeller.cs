using Microsoft.Extensions.Logging;

namespace RedisLatency.Replication.Delay.Keys;

/// <summary>Tells each event once. One thread.</summary>
internal sealed class EventTeller(SessionEvents events, ILogger logger)
{
    private int _told;

    /// <summary>Tells those since the last time.</summary>
    public void Tell()
    {
        if (events.All.Count == _told)
            return;
        foreach (var happened in events.All.Skip(_told))
        {
            ReplicationLog.Happened(logger, happened.Text);
            _told++;
        }
    }
}
