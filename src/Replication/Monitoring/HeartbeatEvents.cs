using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Monitoring;

/// <summary>Reports events with their time, logs and counts them.</summary>
internal sealed class HeartbeatEvents : EventReporter
{
    private readonly Action<string, Func<double?>> _serve;
    private readonly Dictionary<string, StrongBox<long>> _counts = [];

    // serve: takes each kind of event, and what counts it.
    public HeartbeatEvents(SessionEvents events, ILogger logger, Action<string, Func<double?>> serve)
        : base(events, logger)
    {
        _serve = serve;
        // Who counts their increase has to know them before the first one.
        CountOf(WindowAlerts.Raised);
        CountOf(WindowAlerts.Cleared);
    }

    public WindowLog? Log { get; set; }

    protected override void Count(string kind) => Interlocked.Increment(ref CountOf(kind).Value);

    protected override void Report(SessionEvent happened)
    {
        var wallClock = WallClockMapping.Sample();
        var at = wallClock.ToUtc(happened.AtNs).ToString("HH:mm:ss", CultureInfo.InvariantCulture);
        if (happened.Kind is WindowAlerts.Raised or WindowAlerts.Cleared)
            ReplicationLog.Alert(Logger, at, happened.Kind, happened.Text);
        else
            ReplicationLog.HappenedAt(Logger, at, happened.Text);
        Log?.Write(happened, wallClock);
    }

    private StrongBox<long> CountOf(string kind)
    {
        if (!_counts.TryGetValue(kind, out var count))
        {
            _counts.Add(kind, count = new());
            _serve(kind, () => Volatile.Read(ref count.Value));
        }

        return count;
    }
}
