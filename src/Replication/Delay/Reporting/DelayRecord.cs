using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Results.Records;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Reading;
using MeasuredThreshold = RedisLatency.Metrics.Results.Records.Summaries.ThresholdResult;
using ServerFacts = RedisLatency.Redis.Preflight.ServerFacts;

namespace RedisLatency.Replication.Delay.Reporting;

/// <summary>Makes the run record of a measured delay: everything that is printed comes from it.</summary>
internal sealed class DelayRecord(
    BoundOptions<DelayOptions> options,
    DelayPlan plan,
    KeySession session,
    DelayIntervals intervals,
    InstrumentWatch instrument,
    RunContext context)
{
    /// <summary>The record, with the exit code as far as it is known before the results are written.</summary>
    /// <param name="machine">What it ran on.</param>
    /// <param name="source">Where keys were written.</param>
    /// <param name="destination">Where they were read.</param>
    /// <param name="check">What both said of themselves.</param>
    public RunRecord Create(MachineFacts machine, ResolvedTarget source, ResolvedTarget destination, LinkCheck check)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var missingAtSource = MissingAtSource.Count(source, session);
        var keys = Account(source, destination) with { MissingAtSource = missingAtSource ?? 0 };
        var metrics = new DelayMetrics(intervals.Series, session.Reader, instrument.Hiccups, keys);
        var thresholds = options.Values.Output.Thresholds
            .Select(threshold => RunRecordParts.Threshold(threshold.Evaluate(metrics))).ToList();
        var faults = DelayVerdict.Faults(keys, session, intervals, plan, isWhole).ToList();
        if (thresholds.Exists(result => result.Held is null))
            faults.Add("A threshold cannot be decided: see there whether keys or certainty is missing.");
        var notes = DelayVerdict.Notes(keys, session, intervals, missingAtSource).ToList();
        if (options.Values.Source is null)
            notes.Insert(0, "No endpoint was given: two servers in this process, and nobody's replication.");
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
            Environment = machine,
            Targets = [TargetOf("source", source, check.Source), TargetOf("destination", destination, check.Destination)],
            Phases = RunRecordParts.Phases(context),
            Summaries = [SummaryOf(keys)],
            Hiccups = LatencySeries.Of(DelaySeriesNames.Hiccups, PercentileTable.Of(instrument.Hiccups)),
            GcPauses = instrument.GcPauses,
            Cpu = instrument.Cpu,
            Events = [.. Events()],
            Verdict = new RunVerdict(faults.Count == 0, [.. faults, .. notes]),
            Thresholds = thresholds,
            ExitCode = ExitCodeOf(faults.Count == 0, thresholds),
        };
    }

    private int ExitCodeOf(bool isValid, List<MeasuredThreshold> thresholds)
    {
        var verdict = isValid ? ExitCode.Valid : ExitCode.NotValid;
        var demands = thresholds.Exists(result => result.Held == false) ? ExitCode.ThresholdMissed : ExitCode.Valid;
        return ExitCode.Combine(context.ExitCode, ExitCode.Combine(verdict, demands));
    }

    private ReplicationDelay Account(ResolvedTarget source, ResolvedTarget destination)
    {
        var reader = session.Reader;
        var refused = session.KeyWriters.Sum(writer => writer.Refused);
        var sent = session.KeyWriters.Sum(writer => writer.Sent);
        return new ReplicationDelay
        {
            Source = source.Name,
            Destination = destination.Name,
            SourceRegion = plan.Options.SourceRegion,
            DestinationRegion = plan.Options.DestinationRegion,
            Reading = "polling",
            Clocks = "one clock: nothing to correct",
            DeadlineNs = plan.Options.Deadline.Ticks * TimeSpan.NanosecondsPerTick,
            Asked = session.KeyWriters.Sum(writer => writer.Asked),
            Unsent = session.KeyWriters.Sum(writer => writer.Unsent),
            Refused = refused,
            Unanswered = session.KeyWriters.Sum(writer => writer.Unanswered),
            Read = reader.Read,
            Overwritten = reader.Overwritten,
            Missing = reader.MissingCount,
            Unread = sent - refused - reader.Read - reader.Overwritten - reader.MissingCount,
            Polls = reader.Polls,
        };
    }

    private RunSummary SummaryOf(ReplicationDelay keys)
    {
        var sent = session.KeyWriters.Sum(writer => writer.Sent);
        return new RunSummary
        {
            Name = $"{keys.Source} to {keys.Destination}",
            DurationNs = session.WritingNs,
            Counts = new MessageCounts
            {
                Asked = keys.Asked,
                Sent = sent,
                Unsent = keys.Unsent,
                Received = keys.Read,
                Lost = keys.Missing,
                Wrong = keys.Overwritten,
            },
            Rates = new MessageRates
            {
                Asked = plan.Options.Rate,
                Achieved = sent * 1e9 / session.WritingNs,
                Bytes = sent * plan.Options.ValueSize * 1e9 / session.WritingNs,
            },
            Latencies = [.. intervals.Series.Select(
                series => LatencySeries.Of(series.Name, PercentileTable.Of(series.Total)))],
            Delay = keys,
        };
    }

    private MeasuredTarget TargetOf(string role, ResolvedTarget target, ServerFacts facts)
    {
        var pipeline = role == "source" ? session.SourcePipeline : session.DestinationPipeline;
        return RunRecordParts.Target(role, target, null, facts) with
        {
            Driver = "raw",
            DriverVersion = ProgramVersion.Text,
            Protocol = pipeline.Protocol,
            Transport = pipeline.TransportDescription,
        };
    }

    private IEnumerable<RunEvent> Events()
    {
        var wallClock = WallClockMapping.Sample();
        return session.Events.All.Select(happened =>
            new RunEvent(wallClock.ToUtc(happened.AtNs), happened.AtNs, happened.Kind, happened.Text))
            .OrderBy(happened => happened.AtNs);
    }
}
