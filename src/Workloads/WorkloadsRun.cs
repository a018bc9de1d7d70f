using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Machine;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Loaded;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads;

internal sealed class WorkloadsRun(
    WorkloadJob job,
    StandardOutput output,
    Diagnostics diagnostics,
    ILogger<WorkloadsRun> logger) : IMeasuredRun, IDisposable
{
    private readonly List<PhaseSession> _sessions = [];
    private readonly List<IDisposable> _owned = [];
    private readonly LoadedKeys _loaded = new(job, logger);
    private PhaseSession? _floorLoad;
    private SavedResults? _results;
    private InstrumentWatch? _instrument;
    private MachineFacts? _machine;
    private CpuDmaLatency? _awake;
    private ServedMetrics? _served;

    private bool IsText => job.Output.Format == OutputFormat.Text;

    public void Resolve(RunContext context)
    {
        if (job.Running.Cpu is { } processor)
            ThreadAffinity.Require(processor, job.Phases.Max(phase => phase.Threads));
    }

    public void Connect(RunContext context)
    {
        _served = Own(new ServedMetrics(job.Running.Telemetry, "workload", context, logger));
        if (job.Running.CpuDmaLatency is { } microseconds)
            _awake = Own(CpuDmaLatency.Hold(microseconds));
        IReadOnlyList<ResolvedTarget> targets = job.Targets;
        if (job.IsSelfContained)
            targets = [StartServer()];
        else if (job.Running.Floor)
            AddFloor([StartServer()]);
        foreach (var phase in job.Phases)
            AddSession(phase, targets);
        var first = _sessions.First(session => !session.IsFloor);
        InterruptibleStep.Run(first.Connect, context.Stop);
        if (!job.IsSelfContained)
            InterruptibleStep.Run(() => _loaded.Require(first.Phase), context.Stop);
    }

    public void Calibrate(RunContext context)
    {
        _machine = MachineFacts.Read() with { CpuDmaLatencyHeldMicroseconds = _awake?.Microseconds };
        InstrumentWatch.WarmUp();
    }

    public void Rendezvous(RunContext context)
    {
        // There are no peers.
    }

    public void WarmUp(RunContext context)
    {
        _results = Own(new SavedResults(
            job.Output.Folder, context.Phases[0].StartedAt, job.Run, job.Instance, job.Targets, logger));
        _instrument = Own(InstrumentWatch.Start());
        _served?.Add(_instrument.Metrics);
        if (_floorLoad is not { } load)
            return;
        load.Connect();
        using var nowhere = new IntervalLogFile(null, context.Phases[0].StartedAt);
        load.Measure(session => Report(session, nowhere, LiveViews.None(), context), context.Stop);
    }

    public void Measure(RunContext context)
    {
        _instrument!.Begin();
        for (var i = 0; i < _sessions.Count && !context.Stop.IsRequested; i++)
        {
            Measure(_sessions[i], i + 1, context);
            if (i + 1 < _sessions.Count)
                Pause(_sessions[i].Phase.Pause, context);
        }
    }

    public void Drain(RunContext context)
    {
        // Each phase waits for its replies before the next one begins.
        _instrument?.Stop();
    }

    public int Report(RunContext context)
    {
        if (!_sessions.Exists(session => session.HasMeasured) || _instrument is null || _machine is null)
        {
            if (context.Failure is null)
                WorkloadsLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
            return ExitCode.Valid;
        }

        var record = _results!.Write(new WorkloadRecord(job, _sessions, _instrument, context).Create(_machine));
        RecordOutput.Write(record, _results.Folder, job.Output.Format, _results.Secrets, output);
        return output.IsClosed && !IsText
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    public void Dispose()
    {
        _floorLoad?.Dispose();
        _sessions.ForEach(session => session.Dispose());
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private void Measure(PhaseSession session, int number, RunContext context)
    {
        var phase = session.Phase;
        if (_sessions.Count > 1)
        {
            var what = PhaseText.Of(phase);
            WorkloadsLog.PhaseBegins(logger, number, _sessions.Count, phase.FullName, what);
        }

        InterruptibleStep.Run(session.Connect, context.Stop);
        _served?.Add(session.Metrics);
        var description = new LiveDescription(
            $"{phase.FullName} · {session.Driver.Loop} · {session.Target.Name} · run {job.Run}")
        {
            Latency = "latency",
            Returned = "completed",
            HasTimeLeft = phase.Operations is not null || phase.Duration is not null,
        };
        using var view = LiveViewChoice.Of(job.Output, description, output, diagnostics, context.Stop);

        // A collection now saves one in the phase: so far everything was allocated.
        GC.Collect();
        if (!session.IsInProcess)
            _loaded.Begin(session.Phase);
        session.Measure(Watched, context.Stop);
        if (!session.IsInProcess)
            _loaded.End(session);

        IntervalReporter Watched(PhaseSession measured)
        {
            var reporter = Report(measured, _results!.Log, view, context);
            _served?.Watch(reporter);
            return reporter;
        }
    }

    private IntervalReporter Report(
        PhaseSession session, IntervalLogFile log, ILiveView view, RunContext context) =>
        new(session.Metrics, new PhaseProgress(session, logger).Tell, context, log, _instrument!, view);

    private void Pause(TimeSpan length, RunContext context)
    {
        if (length <= TimeSpan.Zero || context.Stop.IsRequested)
            return;
        var seconds = Math.Round(length.TotalSeconds, 3);
        WorkloadsLog.Pausing(logger, seconds);
        context.Stop.WaitUntilRequested(length);
    }

    private ResolvedTarget StartServer()
    {
        if (!job.IsTargetGiven && IsText)
        {
            output.WriteLine("No --redis given: measuring a server inside this process, which is what this tool");
            output.WriteLine("can do at most. Give --redis ENDPOINT to measure a server.");
            output.WriteLine();
            output.Flush();
        }

        var server = Own(EmbeddedServer.Start());
        return new ResolvedTarget(RedisEndpoint.Parse(server.Endpoint), new RedisConnectionOptions(), job.Driver);
    }

    private void AddFloor(IReadOnlyList<ResolvedTarget> targets)
    {
        var phase = job.Phases.LastOrDefault(known => !known.IsLoad) ?? job.Phases[^1];
        if (!phase.IsLoad)
            _floorLoad = new PhaseSession(FloorPhases.Load(phase), string.Empty, targets, job.Running);
        _sessions.Add(new PhaseSession(FloorPhases.Run(phase), "floor", targets, job.Running)
        {
            IsFloor = true,
            IsInProcess = true,
        });
    }

    private void AddSession(PhasePlan phase, IReadOnlyList<ResolvedTarget> targets)
    {
        var number = _sessions.Count(session => !session.IsFloor) + 1;
        var tag = job.Phases.Count == 1 ? string.Empty : PhaseText.TagOf(number);
        _sessions.Add(new PhaseSession(phase, tag, targets, job.Running) { IsInProcess = job.IsSelfContained });
    }

    private T Own<T>(T disposable)
        where T : IDisposable
    {
        _owned.Add(disposable);
        return disposable;
    }
}
