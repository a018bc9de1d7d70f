using System.Globalization;
using Microsoft.Extensions.Logging;
using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Consumer;

internal sealed class ConsumerRun(
    CommandRun<ConsumerOptions> command,
    StandardOutput output,
    Diagnostics diagnostics,
    ILogger<ConsumerRun> logger) : IMeasuredRun, IDisposable
{
    private readonly ConsumerPlan _plan = new(command.Options.Values);
    private ResolvedTarget _target = null!;
    private ServerPreflight? _preflight;
    private CpuDmaLatency? _awake;
    private ProbeAnswering? _probes;
    private EchoSession? _session;
    private ServedMetrics? _served;
    private OwnForward? _forward;
    private SavedResults? _results;
    private InstrumentWatch? _instrument;
    private ServedIntervals? _intervals;
    private IntervalReporter? _reporter;
    private long _servedNs;

    private ConsumerOptions Options => _plan.Options;

    private static string Synthetic => MonotonicClock.IsSynthetic ? " · clock: synthetic" : string.Empty;

    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        command.Options.Resolve("--channel", _plan.Channel);
        command.Options.Resolve("--reply-channel", _plan.ReplyChannel);
        _target = TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask).Single();
    }

    public void Connect(RunContext context)
    {
        _served = new ServedMetrics(Options.Telemetry, "consumer", context, logger, () => _session?.Illness);
        if (Options.Cpu is { } processor)
            ThreadAffinity.Require(processor, Options.Streams);
        if (Options.CpuDmaLatency is { } microseconds)
            _awake = CpuDmaLatency.Hold(microseconds);
        InterruptibleStep.Run(() => _preflight = ServerPreflight.Look(_target, _plan), context.Stop);
        _preflight!.RequireRights();
        foreach (var unknown in _preflight.Rights.Unknown)
            ConsumerLog.RightNotKnown(logger, unknown);
        _probes = new ProbeAnswering(_plan, _target, _preflight.ProbeComplaint);
        if (_preflight.ProbeComplaint is { } complaint)
            ConsumerLog.NoProbesThroughRedis(logger, complaint);
        _session = new EchoSession(_target, _plan, _plan.EchoWith(_probes.Offer));
        InterruptibleStep.Run(_session.Connect, context.Stop);
        _served.Add(_session.Metrics);
    }

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
    }

    public void WarmUp(RunContext context)
    {
    }

    public void Measure(RunContext context)
    {
        _results = new SavedResults(
            Options.Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, [_target], logger);
        _forward = new OwnForward(_session!.Feeds, _results.Folder);
        _instrument = InstrumentWatch.Start();
        _served?.Add(_instrument.Metrics);
        var driver = _session!.Echoes[0].Lane?.Driver;
        var description = new LiveDescription($"residence · {driver} · {_target.Name} · run {_plan.Run}{Synthetic}")
        {
            Latency = "residence",
            Sent = "received",
            Returned = "echoed",
        };
        using var view = LiveViewChoice.Of(Options.Output, description, output, diagnostics, context.Stop);
        _intervals = new ServedIntervals(_session, _probes!, _forward, Options.Duration, logger);
        _reporter = new IntervalReporter(
            _session.Metrics, _intervals.End, context, _results.Log, _instrument, view);
        try
        {
            _session.Start();
            AnnounceServing();
            _session.WaitForEnd(Options.Duration, context.Stop.Cancellation);
        }
        finally
        {
            _session.Stop();
            _servedNs = Math.Max(1, MonotonicClock.NowNs() - _intervals.Start);
            _reporter.Stop();
            _instrument.Stop();
        }

        RequireTargetAtEnd();
    }

    public void Drain(RunContext context)
    {
    }

    public int Report(RunContext context)
    {
        if (_intervals is null)
        {
            if (context.Failure is null)
                ConsumerLog.NothingServed(logger);
            return ExitCode.Valid;
        }

        var machine = MachineFacts.Read() with { CpuDmaLatencyHeldMicroseconds = _awake?.Microseconds };
        var target = RunRecordParts.Target(_target.Name, _target, _session!.Echoes[0].Lane, _preflight!.Facts);
        var record = new ConsumerRecord(
            command.Options, _plan, _session, _probes!, _forward!, _intervals, _instrument!, context)
            .Create(machine, target, _servedNs);
        record = _results!.Write(record);
        RecordOutput.Write(record, _results.Folder, Options.Output.Format, _results.Secrets, output);
        return output.IsClosed && Options.Output.Format != OutputFormat.Text
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    public void Dispose()
    {
        _served?.Dispose();
        _session?.Dispose();
        _probes?.Dispose();
        _reporter?.Dispose();
        _forward?.Dispose();
        _instrument?.Dispose();
        _results?.Dispose();
        _awake?.Dispose();
    }

    public int? ExitCodeFor(Exception failure, RunPhase phase) =>
        failure is RunRefusedException ? ExitCode.Refused : null;

    // Nothing connected, or nothing answered, at the end of serving: then it was lost, whatever came before.
    private void RequireTargetAtEnd()
    {
        if (_session!.Echoes.FirstOrDefault(echo => !echo.IsConnected) is { } disconnected)
        {
            throw new TargetLostException(
                $"There was no connection at the end of serving: {disconnected.Outages[^1].Reason}");
        }

        var server = new TargetObservation(_target);
        server.Look();
        if (!server.IsReached)
            throw new TargetLostException($"Nothing was answered at the end of serving: {server.WhyNot}");
    }

    private void AnnounceServing()
    {
        var endpoint = _target.Endpoint.ToString();
        var end = Options.Duration is { } duration
            ? string.Create(CultureInfo.InvariantCulture, $"for {duration.TotalSeconds:0.###} s")
            : "until it is stopped";
        ConsumerLog.Serving(
            logger, _plan.Channel, endpoint, _plan.ReplyChannel, _plan.Run, Options.Streams, end);
        if (_probes!.Places is { } places)
            ConsumerLog.AnsweringProbes(logger, places);
    }
}
