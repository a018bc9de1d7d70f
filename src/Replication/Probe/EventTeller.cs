using Microsoft.Extensions.Logging;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>Tells each event once; what repeats itself is in the record only. One thread.</summary>
internal sealed class EventTeller(SessionEvents events, ILogger logger)
{
    private readonly EventRepetition _repetition = new();
    private long _told;

    /// <summary>Tells those since the last time.</summary>
    public void Tell()
    {
        var untold = events.TakeSince(ref _told);
        for (var i = 0; i < untold.Count; i++)
        {
            if (!_repetition.Is(untold[i]))
                ReplicationLog.Happened(logger, untold[i].Text);
        }
    }
}
