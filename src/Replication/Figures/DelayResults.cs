using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
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

    /// <summary>Where the results lie; once they are begun.</summary>
    public SavedResults Saved => _results!;

    private OutputOptions Output => _plan.Options.Output;

    /// <summary>Makes the results folder, and begins to watch the tool itself.</summary>
    public void Begin(RunContext context, params IReadOnlyList<ResolvedTarget> targets)
    {
        _results = new SavedResults(
            Output.Folder, context.Phases[0].StartedAt, _plan.Run, _plan.Instance, targets, logger);
        _instrument = InstrumentWatch.Start();
    }

    /// <summary>What the live view says throughout.</summary>
    /// <param name="title">What is measured.</param>
    public LiveDescription Describe(string title) => new($"replication delay · {title} · run {_plan.Run}")
    {
        Latency = "delay",
        Counted = "keys",
        Sent = "written",
        Returned = "read",
    };

    /// <summary>Measures, with its intervals logged and shown.</summary>
    /// <param name="context">The run.</param>
    /// <param name="description">What is shown throughout.</param>
    /// <param name="intervals">Its intervals.</param>
    /// <param name="measure">Returns when it has ended.</param>
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

    /// <summary>Nothing is measured any more.</summary>
    public void End() => _instrument?.Stop();

    /// <summary>Writes what was found out, and prints it.</summary>
    /// <returns>The exit code.</returns>
    public int Report(RunContext context, DelayOutcome outcome)
    {
        var record = new DelayRecord(command.Options, _plan, outcome, _instrument!, context).Create();
        record = Saved.Write(record);
        RecordOutput.Write(record, Saved.Folder, Output.Format, Saved.Secrets, output);
        return output.IsClosed && Output.Format != OutputFormat.Text
            ? ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten)
            : record.ExitCode;
    }

    /// <summary>Says that a run ended before it measured.</summary>
    public int ReportNothing(RunContext context)
    {
        if (context.Failure is null)
            ReplicationLog.NothingMeasured(logger, context.Phases[^2].Phase.ToString());
        return ExitCode.Valid;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _instrument?.Dispose();
        _results?.Dispose();
    }
}
