using Microsoft.Extensions.Logging;

namespace RedisLatency.Replication.Delay.Keys;

/// <summary>Tells each event once. One thread.</summary>
internal sealed class EventTeller(SessionEvents events, ILogger logger)
{
    private long _told;

    /// <summary>Tells those since the last time.</summary>
    public void Tell()
    {
        var untold = events.TakeSince(ref _told);
        for (var i = 0; i < untold.Count; i++)
            ReplicationLog.Happened(logger, untold[i].Text);
    }
}
