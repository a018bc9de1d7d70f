using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Monitoring;

/// <summary>What is served of heartbeats, and the alerts that their thresholds raise.</summary>
internal sealed class HeartbeatMonitor : IDisposable
{
    public HeartbeatMonitor(DelayPlan plan, RunContext run, ProbeSide side, SessionEvents events)
    {
        var session = (HeartbeatSession)side.Session;
        Alerts = new WindowAlerts(plan.Options.Output.Thresholds, events);
        var health = new HeartbeatHealth(session, side, Alerts);
        Served = new ServedMetrics(
            plan.Options.Continuous.Telemetry, "replication", run, plan.Member, () => health.HealthProblem);
        foreach (var set in HeartbeatTelemetry.Of(session, side, Alerts))
            Served.Add(set);
        Events = new HeartbeatEvents(
            events, run.Logger, (kind, count) => Served.Add(HeartbeatTelemetry.Of(side, kind, count)));
    }

    public WindowAlerts Alerts { get; }
    public ServedMetrics Served { get; }
    public HeartbeatEvents Events { get; }

    public void Dispose() => Served.Dispose();
}
