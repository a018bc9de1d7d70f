using RedisLatency.Replication.Heartbeat;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Windows;

/// <summary>Whether heartbeats come: for who asks by /healthz.</summary>
internal sealed class HeartbeatHealth(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts)
{
    // However long they take: none for so long means that none come.
    private const long LeastSilenceNs = 5_000_000_000;
    private const int MissedBeats = 10;

    /// <summary>What is wrong, in a sentence; null where nothing is. Any thread may ask.</summary>
    public string? Illness
    {
        get
        {
            if (session.Lost is { } lost)
                return lost;
            if (alerts.Active.FirstOrDefault() is { } threshold)
                return $"{threshold.Text} does not hold";
            var silence = session.Look().SilenceNs;
            return silence > Math.Max(LeastSilenceNs, MissedBeats * session.Schedule.IntervalNs)
                ? string.Join("; ", new[] { $"no heartbeat came for {Quantity.Duration(silence)}", side.Illness }.OfType<string>())
                : null;
        }
    }
}
