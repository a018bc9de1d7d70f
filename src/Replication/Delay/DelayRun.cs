using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Live.Intervals;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Summaries;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reporting;

namespace RedisLatency.Replication.Delay;

/// <summary>What <c>delay run</c> does in each phase.</summary>
internal sealed class DelayRun(
    CommandRun<DelayOptions> command,
    StandardOutput output,
    Diagnostics diagnostics,
    ILogger<DelayRun> logger) : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly List<IDisposable> _owned = [];
    private ResolvedTarget _source = null!;
    private ResolvedTarget _destination = null!;
    private LinkCheck? _check;
    private SavedResults? _results;
    private InstrumentWatch? _instrument;
    private KeySession? _session;
    private DelayIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        var pair = Options.Source is null ? StartPair() : null;
        Options.Target.Endpoints = [Options.Source ?? pair!.Source, Options.Destination ?? pair!.Destination];
        var targets = TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _destination) = (targets[0], targets[1]);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(() => _check = LinkCheck.Look(_source, _destination), context.Stop);
        _check!.Require();
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        if (FirstKey.Send(_source, _destination, _check!, Options, context.Stop) is { } took)
        {
            var delay = Quantity.Duration(took.Ticks * TimeSpan.NanosecondsPerTick);
            ReplicationLog.LinkIsThere(logger, _destination.Name, _source.Name, delay);
        }
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
        if (_plan.WarmUpKeys > 0)
        {
            ReplicationLog.WarmingUp(logger);
            using var warmUp = new KeySession(_plan, _plan.WarmUpKeys, _source, _destination, context.Stop);
            warmUp.Run();
        }

        if (context.Stop.IsRequested)
            return;
        _results = Own(new SavedResults(
            Options.Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, [_source, _destination],
            logger));
        _instrument = Own(InstrumentWatch.Start());
        _session = Own(new KeySession(_plan, _plan.Keys, _source, _destination, context.Stop));

        // A collection now saves one in the measured phase.
        GC.Collect();
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _instrument!.Begin();
        _intervals = new DelayIntervals(_session!, _plan, logger);
        var description = new LiveDescription(
            $"replication delay · {_source.Name} to {_destination.Name} · run {_plan.Run}")
        {
            Latency = "delay",
            Sent = "written",
            Returned = "read",
        };
        using var view = LiveViewChoice.Of(Options.Output, description, output, diagnostics, context.Stop);
        using var reporter = new IntervalReporter(
            _intervals, context, _results!.Log, _instrument, view, DelaySeriesNames.Hiccups);
        try
        {
            _session!.Run();
        }
        finally
        {
            reporter.Stop();
        }
    }

    /// <inheritdoc/>
    public void Drain(RunContext context)
    {
        // Measuring ends when every key is accounted for.
        _instrument?.Stop();
    }

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_intervals is null)
        {
            if (context.Failure is null)
                ReplicationLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
            return ExitCode.Valid;
        }

        if (_session!.Trace is { } trace)
            trace.WriteTo(_results!.CreateLines(KeyTrace.FileName), _session);
        var record = new DelayRecord(command.Options, _plan, _session, _intervals, _instrument!, context)
            .Create(MachineFacts.Read(), _source, _destination, _check!);
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

    private EmbeddedPair StartPair()
    {
        var pair = Own(EmbeddedPair.Start(EmbeddedDelay));
        if (Options.Output.Format == OutputFormat.Text && !Options.Output.Quiet)
        {
            output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
            output.WriteLine($"process, joined by a forwarder of its own through a link of {EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
            output.WriteLine("measure a replication.");
            output.WriteLine();
            output.Flush();
        }

        return pair;
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
