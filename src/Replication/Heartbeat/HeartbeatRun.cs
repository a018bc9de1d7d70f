using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Summaries;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Hosting.Telemetry.Exposition;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Heartbeat.Alerts;
using RedisLatency.Replication.Heartbeat.Beats;
using RedisLatency.Replication.Heartbeat.Reporting;
using RedisLatency.Replication.Heartbeat.Windows;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>What <c>delay heartbeat</c> does in each phase.</summary>
internal sealed class HeartbeatRun(
    CommandRun<HeartbeatOptions> command,
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
    private LinkedEnds _ends = null!;
    private AlertBoard _alerts = null!;
    private HeartbeatInstruments _instruments = null!;
    private HeartbeatSession? _session;
    private LinkWatch? _watch;
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
        _ends = Own(new LinkedEnds(
            Options.Source, Options.Destination is { } one ? [one] : [], Options.Target, command.Surroundings.Environment));
        _ends.Introduce(Options.Output, output);
        _alerts = new AlertBoard(Options.Output.Thresholds, _events);
        _instruments = Own(new HeartbeatInstruments(
            Options.SourceRegion ?? _ends.Source.Name, Options.DestinationRegion ?? _ends.Destination.Name));
    }

    /// <inheritdoc/>
    public void Connect(RunContext context) => _ends.Connect(Options, _events, context.Stop);

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        _ends.AwaitFirstKeys(Options, context.Stop, logger);
        if (context.Stop.IsRequested)
            return;
        _session = Own(new HeartbeatSession(_plan, _ends.Ways, _events, Found, context.Stop));
        _told = new HeartbeatEvents(_events, logger);
        _instruments.Watch(_session, _alerts, _told);
        Serve(_session);
        _instrument = Own(InstrumentWatch.Start());
        _results = Own(new SavedResults(
            Options.Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, [_ends.Source, _ends.Destination],
            logger));
        _series = new HeartbeatSeries(_session, _instrument);
        _watch = Own(new LinkWatch(_ends.Ways, Options, _session.Id, _events));
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
            _plan, _session!, _series!, _alerts, _averages, _told!, _results!,
            new WindowLog(_results!.CreateLines(WindowLog.FileName)),
            kind == LiveView.Plain ? new WindowLines(diagnostics) : null,
            new HeartbeatView(view, context, _plan, _session!.Schedule, _session.Ways.Count, _instrument)));
        try
        {
            _session.Run();
        }
        finally
        {
            _durationNs = Math.Max(1, MonotonicClock.NowNs() - _session.Schedule.StartNs);
            _watch!.Dispose();
            _windows.Stop();
            _instrument.Stop();
        }
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
            command.Options, _plan, _ends, _session!, _watch!, _series!, _windows, _alerts, _events, _instrument!, context)
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

    private void Found(KeyWay way, long delayNs)
    {
        _averages.Add(delayNs);
        _instruments.Found(way, delayNs);
    }

    private void Serve(HeartbeatSession session)
    {
        if (Options.Telemetry.Metrics is not { } address)
            return;
        var health = new HeartbeatHealth(session, _alerts);
        var collector = Own(new MetricCollector(_instruments.Meter));
        var endpoint = Own(MetricsEndpoint.Start(address, collector, () => health.Illness));
        ReplicationLog.MetricsAt(logger, endpoint.Address);
    }

    private void AnnounceBeating()
    {
        var (source, destination) = (_ends.Source.Name, _ends.Destination.Name);
        var interval = Quantity.Duration(_plan.IntervalNs);
        var end = Options.Duration is { } duration
            ? $"for {Quantity.Duration(duration.TotalNanoseconds)}"
            : "until it is stopped";
        var keys = _ends.Ways.Count == 1 ? "one key" : $"{Quantity.Count(_ends.Ways.Count)} keys, one of each shard";
        ReplicationLog.Beating(logger, source, destination, interval, keys, end);
    }

    private LiveDescription Description() =>
        new($"heartbeats · {_ends.Source.Name} to {_ends.Destination.Name} · run {_plan.Run}")
        {
            Latency = "delay",
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
