using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Monitoring;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication;

internal sealed class HeartbeatRun(
    DelayPlan plan, RunContext run, Func<SessionEvents, HeartbeatSide> sideOf)
{
    // More than anybody reads; all of them are in the log of windows.
    private const int MostEvents = 1_000;

    private readonly SessionEvents _events = new(MostEvents);
    private readonly MovingAverages _averages = new();

    private DelayOptions Options => plan.Options;

    public int Run()
    {
        using var side = sideOf(_events);
        var alerts = new AlertBoard(Options.Output.Thresholds, _events);

        run.Enter(RunPhase.Connect);
        side.Connect(run.Stop);

        run.Enter(RunPhase.Rendezvous);
        using var session = side.Open(_averages.Add, run.Stop) ?? throw new OperationCanceledException();
        var health = new HeartbeatHealth(session, side, alerts);
        using var served = new ServedMetrics(
            Options.Continuous.Telemetry, "replication", run, () => health.HealthProblem);
        foreach (var set in HeartbeatTelemetry.Of(session, side, alerts))
            served.Add(set);
        var happenings = new HeartbeatEvents(
            _events, run.Logger, (kind, count) => served.Add(HeartbeatTelemetry.Of(side, kind, count)));
        using var recording = plan.Record(run, side.Targets);
        served.Add(recording.Instrument.Metrics);
        var series = new HeartbeatSeries(session, side, recording.Instrument);
        side.Watch(session);

        var waits = recording.Instrument.WatchWaits(LocalServer.WaitsOf(side.Targets));
        WindowReporter? reported = null;
        var durationNs = 1L;
        recording.Measure(() =>
        {
            AnnounceBeating(side, session.Ways.Count);
            using var view = LiveViews.KindOf(Options.Output) == LiveView.Rich
                ? recording.View(Description(side))
                : LiveViews.None();
            using var windows = reported = new WindowReporter(
                plan, run, side, session, series, alerts, _averages, happenings, Standstills(session), recording, view);
            windows.Begin();
            try
            {
                session.Run();
            }
            finally
            {
                durationNs = Math.Max(1, MonotonicClock.NowNs() - session.Schedule.StartNs);
                side.EndWatch();
                windows.Stop();
            }

            // An alert that ends it may be the one that a server is lost.
            if (session.LostAtEnd is { } lost && !windows.IsEndedByAlert)
                throw new TargetLostException($"{lost}, and was not back at the end.");
        });

        // Measuring ends when every heartbeat is accounted for.
        run.Enter(RunPhase.Report);
        return reported is null
            ? run.ReportNothing(RunPhase.Measure)
            : recording.Finish(recording.Describe(
                new HeartbeatRecord(plan, side, session, series, reported, alerts, _events, waits)
                    .Create(run, durationNs)));
    }

    // Where all are read here.
    private List<LinkStandstill> Standstills(HeartbeatSession session) =>
    [
        .. session.Ways.Where(_ => session.Ways.All(way => way.Reader is not null)).Select(
            way => new LinkStandstill(way.Destination!.Label, plan.HeartbeatIntervalNs, _events)),
    ];

    private void AnnounceBeating(HeartbeatSide side, int ways)
    {
        var interval = Quantity.Duration(plan.HeartbeatIntervalNs);
        var end = Options.Duration is { } duration
            ? $"for {Quantity.Duration(duration.TotalNanoseconds)}"
            : "until it is stopped";
        var keys = ways == 1 ? "one key" : $"{Quantity.Count(ways)} keys, one of each shard";
        ReplicationLog.Beating(run.Logger, side.Ends.Source, side.Ends.Destination, interval, keys, end);
    }

    private LiveDescription Description(HeartbeatSide side) =>
        new($"heartbeats · {side.Title} · run {plan.Run}")
        {
            Latency = side.Reads ? "delay (most)" : "lateness",
            Sent = "written",
            Returned = "seen",
        };
}
