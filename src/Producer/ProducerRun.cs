using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Machine;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;
using RedisLatency.Producer.Options;

namespace RedisLatency.Producer;

internal sealed class ProducerRun(
    CommandRun<ProducerOptions> command,
    StandardOutput output,
    Diagnostics diagnostics,
    ILogger<ProducerRun> logger) : IMeasuredRun, IDisposable
{
    private readonly ProducerPlan _plan = new(command.Options.Values, command.Options.IsGiven("--rate"));
    private readonly List<TargetSession> _sessions = [];
    private readonly List<IDisposable> _owned = [];
    private IReadOnlyList<ResolvedTarget> _targets = [];
    private SavedResults? _results;
    private InstrumentWatch? _instrument;
    private MachineFacts? _machine;
    private CpuDmaLatency? _awake;
    private OneWayRun? _oneWay;
    private ServedMetrics? _served;

    private ProducerOptions Options => _plan.Options;

    private bool IsText => Options.Output.Format == OutputFormat.Text;

    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        command.Options.Resolve("--channel", _plan.Channel);
        command.Options.Resolve("--reply-channel", _plan.ReplyChannel);
        if (_plan.Rate != Options.Rate)
            command.Options.Resolve("--rate", "0");
        _targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
    }

    public void Connect(RunContext context)
    {
        _served = Own(new ServedMetrics(Options.Telemetry, "producer", context, logger));
        if (Options.Cpu is { } processor)
            ThreadAffinity.Require(processor, _plan.Streams);
        if (Options.CpuDmaLatency is { } microseconds)
            _awake = Own(CpuDmaLatency.Hold(microseconds));
        if (_targets.Count == 0)
            AddSelfContained("in-process");
        else if (Options.Floor)
            AddSelfContained("floor");
        foreach (var target in _targets)
            AddSession(target.Name, target);
        foreach (var session in _sessions)
        {
            _served.Add(session.Metrics);
            InterruptibleStep.Run(session.Connect, context.Stop);
        }
    }

    public void Calibrate(RunContext context)
    {
        _machine = MachineFacts.Read() with { CpuDmaLatencyHeldMicroseconds = _awake?.Microseconds };
        InstrumentWatch.WarmUp();
    }

    public void Rendezvous(RunContext context)
    {
        foreach (var session in _sessions)
        {
            session.Rendezvous(line => ProducerLog.NoConsumerYet(logger, line), context.Stop);
            foreach (var name in session.Consumers.Select(ConsumerAdvice.NameOf))
                ProducerLog.ConsumerAnswers(logger, name, session.Name);
            foreach (var twins in ConsumerAdvice.Twins(session.Consumers))
                ProducerLog.ConsumersOfOneName(logger, twins);
        }
    }

    public void WarmUp(RunContext context)
    {
        if (_plan.HasWarmUp)
            ProducerLog.WarmingUp(logger);
        foreach (var session in _sessions)
        {
            session.WarmUp(context.Stop);
            session.Prepare();
        }

        if (context.Stop.IsRequested)
            return;
        _results = Own(new SavedResults(
            Options.Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, _targets, logger));
        _instrument = Own(InstrumentWatch.Start());
        _served?.Add(_instrument.Metrics);
        if (!_plan.IsCounter)
            _oneWay = Own(new OneWayRun(_plan, _results, logger));
        _oneWay?.Start(_sessions[0]);

        // A collection now saves one in the measured phase: so far everything was allocated, from here on nothing is.
        GC.Collect();
    }

    public void Measure(RunContext context)
    {
        _instrument!.Begin();
        foreach (var session in _sessions.TakeWhile(_ => !context.Stop.IsRequested))
            Measure(session, context);
    }

    public void Drain(RunContext context)
    {
        // Each session waits for its stragglers before the next one begins.
        _instrument?.Stop();
    }

    public int Report(RunContext context)
    {
        if (!context.HasMeasured || _instrument is null)
        {
            if (context.Failure is null)
                ProducerLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
            return ExitCode.Valid;
        }

        _oneWay?.Finish();
        var record = new ProducerRecord(command.Options, _plan, _sessions, _instrument, context).Create(_machine!);
        record = _results!.Write(record with { Clock = _oneWay?.Clock });
        RecordOutput.Write(record, _results.Folder, Options.Output.Format, _results.Secrets, output);
        return output.IsClosed && !IsText
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    public void Dispose()
    {
        _sessions.ForEach(session => session.Dispose());
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private void Measure(TargetSession session, RunContext context)
    {
        var driver = session.Senders[0].Lane?.Driver;
        var description = new LiveDescription($"RTT · {driver} · {session.Name} · run {_plan.Run}");
        using var view = LiveViewChoice.Of(Options.Output, description, output, diagnostics, context.Stop);
        _oneWay?.Start(session);
        using var reporter = new IntervalReporter(
            session.Metrics, new TargetProgress(session, _plan, logger).Tell, context, _results!.Log, _instrument!,
            view);
        _served?.Watch(reporter);
        try
        {
            session.Measure(context.Stop);
        }
        finally
        {
            reporter.Stop();
            session.CountMissing();
            session.OneWay?.Complete();
        }
    }

    private void AddSelfContained(string name)
    {
        if (Options.Target.Given.Count == 0 && IsText)
        {
            output.WriteLine("No --redis given: measuring this tool's own floor, with a server and a consumer");
            output.WriteLine("inside this process. Give --redis ENDPOINT to measure a server.");
            output.WriteLine();
            output.Flush();
        }

        var selfContained = Own(new SelfContainedTarget(_plan, Options.Target.Driver));
        AddSession(name, selfContained.Target, isFloor: _targets.Count > 0);
    }

    private void AddSession(string name, ResolvedTarget target, bool isFloor = false)
    {
        var isAlone = _targets.Count + (Options.Floor ? 1 : 0) <= 1;
        var tag = isAlone ? string.Empty : ((char)('a' + _sessions.Count)).ToString();
        var taken = _sessions.Exists(session => session.Name == name);
        _sessions.Add(new TargetSession(taken ? $"{name} again" : name, tag, target, _plan)
        {
            IsFloor = isFloor,
            IsSelfContained = isFloor || _targets.Count == 0,
        });
    }

    private T Own<T>(T disposable)
        where T : IDisposable
    {
        _owned.Add(disposable);
        return disposable;
    }
}
