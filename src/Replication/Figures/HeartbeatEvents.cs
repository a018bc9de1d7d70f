using System.Globalization;
using Microsoft.Extensions.Logging;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// Tells each event once, with its time, writes it to the log of windows, and counts it by its kind. One that is told
/// word for word again within a minute, as evictions that go on are, is only counted.
/// </summary>
internal sealed class HeartbeatEvents(SessionEvents events, ILogger logger)
{
    private readonly Lock _gate = new();
    private readonly EventRepetition _repetition = new();
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal)
    {
        // Who counts their increase has to know them before the first one.
        [AlertBoard.Raised] = 0,
        [AlertBoard.Cleared] = 0,
    };

    private long _taken;

    public IReadOnlyList<KeyValuePair<string, long>> Counts
    {
        get
        {
            lock (_gate)
                return [.. _counts];
        }
    }

    public void Tell(WindowLog log)
    {
        var untold = events.TakeSince(ref _taken);
        if (untold.Count == 0)
            return;
        var wallClock = WallClockMapping.Sample();
        foreach (var happened in untold)
        {
            lock (_gate)
                _counts[happened.Kind] = _counts.GetValueOrDefault(happened.Kind) + 1;
            if (_repetition.Is(happened))
                continue;
            var at = wallClock.ToUtc(happened.AtNs).ToString("HH:mm:ss", CultureInfo.InvariantCulture);
            if (happened.Kind is AlertBoard.Raised or AlertBoard.Cleared)
                ReplicationLog.Alert(logger, at, happened.Kind, happened.Text);
            else
                ReplicationLog.HappenedAt(logger, at, happened.Text);
            log.Write(happened, wallClock);
        }
    }
}
