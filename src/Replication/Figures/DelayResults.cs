using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Figures;

internal sealed class DelayResults(
    DelayPlan plan, StandardOutput output, Diagnostics diagnostics, ILogger<DelayResults> logger)
    : IDisposable
{
    private SavedResults? _saved;
    private InstrumentWatch? _instrument;

    public SavedResults Saved => _saved ?? throw NotBegun();

    public InstrumentWatch Instrument => _instrument ?? throw NotBegun();

    private OutputOptions Output => plan.Options.Output;

    // Makes the results folder, and begins to watch the tool itself.
    public void Begin(RunContext context, params IReadOnlyList<ResolvedTarget> targets)
    {
        _saved = new SavedResults(
            plan.Options.IsCheck ? null : Output.Folder, context.Phases[0].StartedAt, plan.Run, plan.Instance, targets,
            logger);
        _instrument = InstrumentWatch.Start();
    }

    public LiveDescription Describe(string title) => new($"replication delay · {title} · run {plan.Run}")
    {
        Latency = "delay",
        Counted = "keys",
        Sent = "written",
        Returned = "read",
    };

    public ILiveView View(LiveDescription description, RunContext context) =>
        LiveViewChoice.Of(Output, description, output, diagnostics, context.Stop);

    public void Measure(
        RunContext context, LiveDescription description, MetricSet metrics, IntervalEnd end, Action measure)
    {
        // A collection now saves one in the measured phase.
        GC.Collect();
        Instrument.Begin();
        using var view = View(description, context);
        using var reporter = new IntervalReporter(
            metrics, end, context, Saved.Log, Instrument, view);
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

    public int Report(RunContext context, DelayOutcome outcome) =>
        Report(context, outcome.ToFindings(plan));

    // Returns the exit code.
    public int Report(RunContext context, DelayFindings findings)
    {
        var record = Saved.Write(findings.ToRecord(plan, context, Instrument));
        if (plan.Options.IsCheck && Output.Format == OutputFormat.Text)
        {
            output.WriteLine(CheckLine.Of(record));
            output.Flush();
            return record.ExitCode;
        }

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
        _saved?.Dispose();
    }

    private static InvalidOperationException NotBegun() => new("The results are not begun.");
}
