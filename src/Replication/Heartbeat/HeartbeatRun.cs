using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Windows;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>What <c>delay heartbeat</c> does in each phase.</summary>
internal sealed class HeartbeatRun(
    CommandRun<HeartbeatOptions> command,
    HeartbeatSide side,
    StandardOutput output,
    Diagnostics diagnostics,
    ILogger<HeartbeatRun> logger) : IMeasuredRun, IDisposable
{
    // More than anybody reads; all of them are in the log of windows.
    private const int MostEvents = 1_000;

    private readonly HeartbeatPlan _plan = new(command.Options.Values);
    private readonly List<IDisposable> _owned = [];
    private readonly SessionEvents _events = new(MostEvents);
    private readonly MovingAverages _averages = new();
    private AlertBoard _alerts = null!;
    private HeartbeatInstruments? _instruments;
    private HeartbeatSession? _session;
    private SavedResults? _results;
    private InstrumentWatch? _instrument;
    private HeartbeatSeries? _series;
    private HeartbeatEvents? _told;
    private WindowReporter? _windows;
    private long _durationNs = 1;

    private HeartbeatOptions Options => _plan.Options;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        side.Resolve(output);
        _alerts = new AlertBoard(Options.Output.Thresholds, _events);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context) => side.Connect(_events, context.Stop);

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        if (side.Open(Found, context.Stop) is not { } session)
            return;
        _session = Own(session);
        _instruments = Own(new HeartbeatInstruments(
            side.SourceRegion ?? side.Source, side.DestinationRegion ?? side.Destination));
        _told = new HeartbeatEvents(_events, logger);
        _instruments.Watch(_session, side, _alerts, _told);
        Serve(_session);
        _instrument = Own(InstrumentWatch.Start());
        _results = Own(new SavedResults(
            Options.Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, side.Targets, logger));
        _series = new HeartbeatSeries(_session, side, _instrument);
        side.Watch(_session);
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _instrument!.Begin();
        AnnounceBeating();
        var kind = LiveViewChoice.KindOf(Options.Output);
        using var view = kind == LiveView.Rich
            ? LiveViewChoice.Of(Options.Output, Description(), output, diagnostics, context.Stop)
            : LiveViews.None();
        _windows = Own(new WindowReporter(
            _plan, _session!, _series!, _alerts, _averages, _told!, _events, _results!,
            new WindowLog(_results!.CreateLines(WindowLog.FileName), _series!),
            kind == LiveView.Plain ? new WindowLines(diagnostics, side.Reads) : null,
            new HeartbeatView(view, context, _plan, _session!.Schedule, _session.Ways.Count, side.Reads, _instrument)));
        try
        {
            _session.Run();
        }
        finally
        {
            _durationNs = Math.Max(1, MonotonicClock.NowNs() - _session.Schedule.StartNs);
            side.EndWatch();
            _windows.Stop();
            _instrument.Stop();
        }

        // An alert that ends it may be the one that an end is lost.
        if (_session.LostAtEnd is { } lost && !_windows.IsEndedByAlert)
            throw new TargetLostException($"{lost}, and was not back at the end.");
    }

    /// <inheritdoc/>
    public void Drain(RunContext context)
    {
        // Measuring ends when every heartbeat is accounted for.
    }

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_windows is null)
        {
            if (context.Failure is null)
                ReplicationLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
            return ExitCode.Valid;
        }

        var record = new HeartbeatRecord(
            command.Options, _plan, side, _session!, _series!, _windows, _alerts, _events, _instrument!, context)
            .Create(_durationNs);
        record = _results!.Write(record);
        RecordOutput.Write(record, _results.Folder, Options.Output.Format, _results.Secrets, output);
        return output.IsClosed && Options.Output.Format != OutputFormat.Text
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private void Found(string? shard, long delayNs)
    {
        _averages.Add(delayNs);
        _instruments!.Found(shard, delayNs);
    }

    private void Serve(HeartbeatSession session)
    {
        if (Options.Telemetry.Metrics is not { } address)
            return;
        var health = new HeartbeatHealth(session, side, _alerts);
        var collector = Own(new MetricCollector(_instruments!.Meter));
        var endpoint = Own(MetricsEndpoint.Start(address, collector.Collect, () => health.Illness, () => null));
        ReplicationLog.MetricsAt(logger, endpoint.Address);
        if (endpoint.IsOpenToAll)
            ReplicationLog.MetricsForAll(logger, address);
    }

    private void AnnounceBeating()
    {
        var interval = Quantity.Duration(_plan.IntervalNs);
        var end = Options.Duration is { } duration
            ? $"for {Quantity.Duration(duration.TotalNanoseconds)}"
            : "until it is stopped";
        var keys = _session!.Ways.Count == 1 ? "one key" : $"{Quantity.Count(_session.Ways.Count)} keys, one of each shard";
        ReplicationLog.Beating(logger, side.Source, side.Destination, interval, keys, end);
    }

    private LiveDescription Description() =>
        new($"heartbeats · {side.Title} · run {_plan.Run}")
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
