using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class HeartbeatRun(
    DelayPlan plan,
    HeartbeatSide side,
    StandardOutput output,
    Diagnostics diagnostics,
    DelayResults results,
    ILogger<HeartbeatRun> logger) : IMeasuredRun, IDisposable
{
    // More than anybody reads; all of them are in the log of windows.
    private const int MostEvents = 1_000;

    private readonly List<IDisposable> _owned = [];
    private readonly SessionEvents _events = new(MostEvents);
    private readonly MovingAverages _averages = new();
    private AlertBoard _alerts = null!;
    private HeartbeatSession? _session;
    private HeartbeatSeries? _series;
    private HeartbeatEvents? _told;
    private WindowReporter? _windows;
    private long _durationNs = 1;

    private DelayOptions Options => plan.Options;

    public void Resolve(RunContext context)
    {
        side.Resolve(output, _events);
        _alerts = new AlertBoard(Options.Output.Thresholds, _events);
    }

    public void Connect(RunContext context) => side.Connect(context.Stop);

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
        if (side.Open(_averages.Add, context.Stop) is not { } session)
            return;
        _session = Own(session);
        var health = new HeartbeatHealth(_session, side, _alerts);
        var served = Own(new ServedMetrics(
            Options.Continuous.Telemetry, "replication", context, logger, () => health.Illness));
        foreach (var set in HeartbeatTelemetry.Of(_session, side, _alerts))
            served.Add(set);
        _told = new HeartbeatEvents(
            _events, logger, (kind, count) => served.Add(HeartbeatTelemetry.Of(side, kind, count)));
        results.Begin(context, side.Targets);
        served.Add(results.Instrument.Metrics);
        _series = new HeartbeatSeries(_session, side, results.Instrument);
        side.Watch(_session);
    }

    public void WarmUp(RunContext context)
    {
    }

    public void Measure(RunContext context)
    {
        results.Instrument.Begin();
        AnnounceBeating();
        var kind = LiveViewChoice.KindOf(Options.Output);
        using var view = kind == LiveView.Rich
            ? results.View(Description(), context)
            : LiveViews.None();
        _windows = Own(new WindowReporter(
            plan, _session!, _series!, _alerts, _averages, _told!, _events, results.Saved,
            new WindowLog(results.Saved.CreateLines(WindowLog.FileName), _series!),
            kind == LiveView.Plain ? new WindowLines(diagnostics, side.Reads) : null,
            new HeartbeatView(
                view, context, plan, _session!.Schedule, _session.Ways.Count, side.Reads, results.Instrument)));
        try
        {
            _session.Run();
        }
        finally
        {
            _durationNs = Math.Max(1, MonotonicClock.NowNs() - _session.Schedule.StartNs);
            side.EndWatch();
            _windows.Stop();
            results.End();
        }

        // An alert that ends it may be the one that an end is lost.
        if (_session.LostAtEnd is { } lost && !_windows.IsEndedByAlert)
            throw new TargetLostException($"{lost}, and was not back at the end.");
    }

    public void Drain(RunContext context)
    {
        // Measuring ends when every heartbeat is accounted for.
    }

    public int Report(RunContext context) => _windows is null
        ? results.ReportNothing(context)
        : results.Report(
            context,
            new HeartbeatRecord(plan, side, _session!, _series!, _windows, _alerts, _events).Create(_durationNs));

    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private void AnnounceBeating()
    {
        var interval = Quantity.Duration(plan.HeartbeatIntervalNs);
        var end = Options.Duration is { } duration
            ? $"for {Quantity.Duration(duration.TotalNanoseconds)}"
            : "until it is stopped";
        var keys = _session!.Ways.Count == 1 ? "one key"
            : $"{Quantity.Count(_session.Ways.Count)} keys, one of each shard";
        ReplicationLog.Beating(logger, side.Source, side.Destination, interval, keys, end);
    }

    private LiveDescription Description() =>
        new($"heartbeats · {side.Title} · run {plan.Run}")
        {
            Latency = side.Reads ? "delay" : "lateness",
            Sent = "written",
            Returned = "seen",
        };

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
