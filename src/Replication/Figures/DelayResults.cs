using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Figures;

/// <summary>What a process of a delay measurement shows meanwhile, leaves behind, and prints at the end.</summary>
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

    public void Measure(RunContext context, LiveDescription description, IIntervalSource intervals, Action measure)
    {
        // A collection now saves one in the measured phase.
        GC.Collect();
        Instrument.Begin();
        using var view = View(description, context);
        using var reporter = new IntervalReporter(
            intervals, context, Saved.Log, Instrument, view, DelaySeriesNames.Hiccups);
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
        Report(context, outcome.ToFindings(plan, Instrument.Hiccups));

    // Returns the exit code.
    public int Report(RunContext context, DelayFindings findings)
    {
        var record = Saved.Write(RecordOf(context, findings));
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

    private RunRecord RecordOf(RunContext context, DelayFindings findings)
    {
        var hiccups = LatencySeries.Of(DelaySeriesNames.Hiccups, PercentileTable.Of(Instrument.Hiccups));
        // A service without an end is whole whenever it is stopped.
        var partial = findings.EndedBy
            ?? (context.StoppedBy is not null && (!plan.IsContinuous || plan.Options.Duration is not null)
                ? "stopped by a signal"
                : null);
        var outcome = RunOutcome.Of(
            context, findings.Faults,
            InstrumentDoubts.Of(DelayVerdict.Shown(findings.Summaries[0]), hiccups, Instrument.Cpu), findings.Notes,
            // Who stops a service early does not blame it for what it had no time to report.
            [
                .. findings.Thresholds.Where(threshold =>
                    !plan.IsContinuous || context.StoppedBy is null || threshold.Held is not null),
            ],
            Output.Strict);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = ProgramVersion.Text,
            Run = plan.Run,
            Role = "replication",
            Region = plan.Options.Identity.Region,
            Instance = plan.Instance,
            Partial = context.Failure is not null || partial is not null,
            PartialReason = context.Failure?.Message ?? partial,
            Options = RunRecordParts.Options(plan.Bound.Effective),
            Environment = MachineFacts.Read(),
            Targets = findings.Targets,
            Phases = RunRecordParts.Phases(context),
            Summaries = findings.Summaries,
            Hiccups = hiccups,
            GcPauses = Instrument.GcPauses,
            Cpu = Instrument.Cpu,
            Events = findings.Events.ToRecord(),
            Verdict = outcome.Verdict,
            Thresholds = findings.Thresholds,
            ExitCode = outcome.ExitCode,
        };
    }
}

/// <summary>What a run came to, as its record has it.</summary>
internal sealed record DelayFindings
{
    public required IReadOnlyList<RunSummary> Summaries { get; init; }
    public required IReadOnlyList<MeasuredThreshold> Thresholds { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public required SessionEvents Events { get; init; }
    public required IReadOnlyList<string> Faults { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }

    // What ended it early, besides a failure or a signal.
    public string? EndedBy { get; init; }
}
