using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Figures;

/// <summary>What a process came to know of keys that are written once each, whichever side it was.</summary>
internal sealed record DelayOutcome
{
    public required ReplicationDelay Keys { get; init; }
    public IReadOnlyList<PartOutcome> Destinations { get; init; } = [];
    public IReadOnlyList<PartOutcome> Shards { get; init; } = [];
    public required MetricSet Metrics { get; init; }
    public required long Sent { get; init; }
    public required double Rate { get; init; }
    public required long DurationNs { get; init; }
    public required IReadOnlyList<MeasuredTarget> Targets { get; init; }
    public required SessionEvents Events { get; init; }
    public required IReadOnlyList<string> Faults { get; init; }
    public required IReadOnlyList<string> Notes { get; init; }

    public DelayFindings ToFindings(DelayPlan plan) => new()
    {
        Summaries =
        [
            Summary($"{Keys.Source} to {Keys.Destination}", Keys, Metrics, Sent, 1, plan),
            .. Destinations.Concat(Shards).Select(part => Summary(
                part.Name, part.Keys, part.Metrics, part.Sent, part.Share, plan)),
        ],
        Thresholds = [.. new DelayDemands(this).Evaluate(plan.Options.Output.Thresholds)],
        Targets = Targets,
        Events = Events,
        Faults = Faults,
        Notes = Notes,
    };

    private RunSummary Summary(
        string name, ReplicationDelay keys, MetricSet metrics, long sent, double share, DelayPlan plan)
    {
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min(sent * 1e9 / DurationNs, Rate * share);
        return new RunSummary
        {
            Name = name,
            DurationNs = DurationNs,
            Counts = new MessageCounts
            {
                Asked = keys.Asked,
                Sent = sent * keys.Destinations,
                Unsent = keys.Unsent,
                Received = keys.Read,
                Lost = keys.Missing,
                Wrong = keys.Overwritten,
            },
            Rates = new MessageRates
            {
                Asked = Rate * share,
                Achieved = achieved,
                Bytes = achieved * plan.Options.ValueSize,
            },
            Latencies = DelayRows.Of(metrics.Series),
            Delay = keys,
        };
    }
}

internal sealed record PartOutcome
{
    public required string Name { get; init; }
    public required ReplicationDelay Keys { get; init; }
    public required MetricSet Metrics { get; init; }
    public required long Sent { get; init; }

    // Which share of the keys are written for it.
    public double Share { get; init; } = 1;
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

    public RunRecord ToRecord(DelayPlan plan, RunContext context, InstrumentWatch instrument)
    {
        var hiccups = instrument.HiccupSeries;
        // A service without an end is whole whenever it is stopped.
        var partial = EndedBy
            ?? (context.StoppedBy is not null && (!plan.IsContinuous || plan.Options.Duration is not null)
                ? "stopped by a signal"
                : null);
        var outcome = RunOutcome.Of(
            context, Faults,
            InstrumentDoubts.Of(DelayVerdict.Shown(Summaries[0]), hiccups, instrument.Cpu), Notes,
            // Who stops a service early does not blame it for what it had no time to report.
            [
                .. Thresholds.Where(threshold =>
                    !plan.IsContinuous || context.StoppedBy is null || threshold.Held is not null),
            ],
            plan.Options.Output.Strict);
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
            Targets = Targets,
            Phases = RunRecordParts.Phases(context),
            Summaries = Summaries,
            Hiccups = hiccups,
            GcPauses = instrument.GcPauses,
            Cpu = instrument.Cpu,
            Events = Events.ToRecord(),
            Verdict = outcome.Verdict,
            Thresholds = Thresholds,
            ExitCode = outcome.ExitCode,
        };
    }
}
