using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using ServerFacts = RedisLatency.Redis.Connections.ServerFacts;

namespace RedisLatency.Replication.Figures;

/// <summary>Makes the run record of a measured delay: everything that is printed comes from it.</summary>
internal sealed class DelayRecord(
    BoundOptions<DelayOptions> options,
    DelayPlan plan,
    DelayOutcome outcome,
    InstrumentWatch instrument,
    RunContext context)
{
    public RunRecord Create()
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var thresholds = new DelayDemands(outcome, instrument.Hiccups).Evaluate(options.Values.Output.Thresholds).ToList();
        var hiccups = LatencySeries.Of(DelaySeriesNames.Hiccups, PercentileTable.Of(instrument.Hiccups));
        List<RunSummary> summaries =
        [
            Summary($"{outcome.Keys.Source} to {outcome.Keys.Destination}", outcome.Keys, outcome.Series, outcome.Sent, 1),
            .. outcome.Destinations.Concat(outcome.Shards).Select(part => Summary(
                part.Name, part.Keys, part.Series, part.Sent, part.Share)),
        ];
        var ended = RunOutcome.Of(
            context, outcome.Faults,
            InstrumentDoubts.Of(DelayVerdict.Shown(summaries[0]), hiccups, instrument.Cpu),
            outcome.Notes, thresholds, options.Values.Output.Strict);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = ProgramVersion.Text,
            Run = plan.Run,
            Role = "replication",
            Region = options.Values.Identity.Region,
            Instance = plan.Instance,
            Partial = !isWhole,
            PartialReason = context.Failure?.Message ?? (isWhole ? null : "stopped by a signal"),
            Options = RunRecordParts.Options(options.Effective),
            Environment = MachineFacts.Read(),
            Targets = outcome.Targets,
            Phases = RunRecordParts.Phases(context),
            Summaries = summaries,
            Hiccups = hiccups,
            GcPauses = instrument.GcPauses,
            Cpu = instrument.Cpu,
            Events = outcome.Events.ToRecord(),
            Verdict = ended.Verdict,
            Thresholds = thresholds,
            ExitCode = ended.ExitCode,
        };
    }

    public static MeasuredTarget TargetOf(
        string role, ResolvedTarget target, ServerFacts facts, RedisPipeline pipeline) =>
        RunRecordParts.Target(role, target, null, facts) with
        {
            Driver = "raw",
            DriverVersion = ProgramVersion.Text,
            Protocol = pipeline.Protocol,
            Transport = pipeline.TransportDescription,
        };

    private RunSummary Summary(
        string name, ReplicationDelay keys, IReadOnlyList<CollectedSeries> series, long sent, double share)
    {
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min(sent * 1e9 / outcome.DurationNs, outcome.Rate * share);
        return new RunSummary
        {
            Name = name,
            DurationNs = outcome.DurationNs,
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
                Asked = outcome.Rate * share,
                Achieved = achieved,
                Bytes = achieved * plan.Options.ValueSize,
            },
            Latencies = DelayRows.Of(series),
            Delay = keys,
        };
    }
}
