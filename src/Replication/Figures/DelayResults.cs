using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Figures;

/// <summary>What a process of a delay measurement shows meanwhile, leaves behind, and prints at the end.</summary>
internal sealed class DelayResults(
    CommandRun<DelayOptions> command, StandardOutput output, Diagnostics diagnostics, ILogger<DelayResults> logger)
    : IDisposable
{
    private readonly DelayPlan _plan = new(command.Options.Values);
    private SavedResults? _results;
    private InstrumentWatch? _instrument;

    public SavedResults Saved => _results!;

    private OutputOptions Output => _plan.Options.Output;

    public void Begin(RunContext context, params IReadOnlyList<ResolvedTarget> targets)
    {
        _results = new SavedResults(
            Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, targets, logger);
        _instrument = InstrumentWatch.Start();
    }

    public LiveDescription Describe(string title) => new($"replication delay · {title} · run {_plan.Run}")
    {
        Latency = "delay",
        Counted = "keys",
        Sent = "written",
        Returned = "read",
    };

    public void Measure(RunContext context, LiveDescription description, IIntervalSource intervals, Action measure)
    {
        // A collection now saves one in the measured phase.
        GC.Collect();
        _instrument!.Begin();
        using var view = LiveViewChoice.Of(Output, description, output, diagnostics, context.Stop);
        using var reporter = new IntervalReporter(
            intervals, context, Saved.Log, _instrument, view, DelaySeriesNames.Hiccups);
        try
        {
            measure();
        }
        finally
        {
            reporter.Stop();
        }
    }

    public void End() => _instrument?.Stop();

    public int Report(RunContext context, DelayOutcome outcome)
    {
        var record = new DelayRecord(command.Options, _plan, outcome, _instrument!, context).Create();
        record = Saved.Write(record);
        RecordOutput.Write(record, Saved.Folder, Output.Format, Saved.Secrets, output);
        return output.IsClosed && Output.Format != OutputFormat.Text
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    public int ReportNothing(RunContext context)
    {
        if (context.Failure is null)
            ReplicationLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
        return ExitCode.Valid;
    }

    public void Dispose()
    {
        _instrument?.Dispose();
        _results?.Dispose();
    }
}
