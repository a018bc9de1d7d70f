using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Monitoring;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication;

internal sealed class HeartbeatRecord(
    DelayPlan plan, HeartbeatSide side, HeartbeatSession session, HeartbeatSeries series, WindowReporter windows,
    AlertBoard alerts, SessionEvents events, IReadOnlyList<ProcessorWaits> waits)
{
    public RunFindings Create(RunContext run, long durationNs)
    {
        var summaries = Summaries(durationNs).ToList();
        return new RunFindings
        {
            Summaries = summaries,
            Thresholds = [.. alerts.States.Select(state => state.ToRecord())],
            Targets = side.Servers(session),
            Events = run.Parts<RunEvent>(() => events.ToRecord()),
            // Who stops it has not waited for what was on its way.
            Faults = run.Parts<string>(() => [.. Faults(run.StoppedBy is not null)]),
            Doubts = run.Parts<string>(() => [.. Doubts()]),
            Notes = run.Parts<string>(() => [.. Notes()]),
            Shown = run.Parts<ShownPercentiles>(
                () => [.. DelayVerdict.Shown(summaries[0], series.All.Select(known => known.Series), waits)]),
            EndedBy = windows.IsEndedByAlert ? "ended by an alert" : null,
            EndsWhenStopped = plan.Options.Duration is null,
            // Who stops it early does not blame it for what it had no time to report.
            ForgivesUnknown = run.StoppedBy is not null,
        };
    }

    private IEnumerable<string> Faults(bool isStopped)
    {
        foreach (var fault in DelayVerdict.ClockFaults())
            yield return fault;
        var counts = session.Count();
        if (side.Reads && counts.Seen == 0)
            yield return "No heartbeat was seen at the destination.";
        if (!side.Reads && counts.Sent == counts.Refused)
            yield return "No heartbeat was written to the source.";
        if (windows.StoodStillNs > 0 && !windows.IsEndedByAlert && counts.Seen > 0)
        {
            yield return $"At the end no heartbeat had come for {Quantity.Duration(windows.StoodStillNs)}: how long "
                + "those took that were on their way is not known.";
        }

        foreach (var fault in side.Faults)
            yield return fault;
        var without = counts.WithoutDelay + (isStopped ? 0 : Unread(counts));
        var isKnown = counts.Seen > 0 || !side.Reads;
        if (isKnown && without > VerdictLimits.TolerableLoss * counts.Asked && !windows.IsEndedByAlert)
            yield return DelayVerdict.WithoutDelay(without, counts.Asked, "heartbeats");
    }

    private IEnumerable<string> Doubts()
    {
        var counts = session.Count();
        if (counts.HeldUp > (1 - VerdictLimits.KeptRate) * counts.Asked)
        {
            yield return $"{Quantity.Percent((double)counts.HeldUp / counts.Asked)} of the heartbeats were due while "
                + "the process that writes them was held up: the wait is in their delays, from when they were due.";
        }
    }

    // Who reads what another process writes knows by the schedule only that the last one of each was due: its writer
    // may have been late with it.
    private long Unread(in HeartbeatCounts counts) => !side.Reads ? 0
        : side.Writes ? counts.Waiting
        : Math.Max(0, counts.Waiting - session.Ways.Count);

    private IEnumerable<string> Notes()
    {
        var counts = session.Count();
        var refusal = session.Ways.Select(way => way.Writer?.FirstRefusal).FirstOrDefault(text => text is not null);
        if (refusal is not null)
            yield return DelayVerdict.Refused(counts.Refused, "heartbeats", refusal);
        if (counts.Unsent > 0)
        {
            var who = side.Writes ? "this process" : "the writer";
            yield return $"{Quantity.Count(counts.Unsent)} heartbeats were due while there was no connection to the "
                + $"source, or while {who} was held up or gone.";
        }

        if (counts.Skipped > 0)
        {
            yield return $"{Quantity.Count(counts.Skipped)} heartbeats were not seen before a later one was there: "
                + "none was there at the last poll before, and a reader had no need of any from then.";
        }

        if (events.Forgotten > 0)
            yield return $"Of what happened the newest is here; {Quantity.Count(events.Forgotten)} more are in "
                + $"{WindowLog.FileName}.";
        foreach (var note in side.Notes)
            yield return note;
    }

    private IEnumerable<RunSummary> Summaries(long durationNs)
    {
        var facts = Facts(side.Ends, session.Ways) with
        {
            Lag = side.Lag,
            Direct = side.Direct,
        };
        var name = side.Reads ? $"{facts.Source} to {facts.Destination}" : side.Title;
        yield return Summary(
            name, facts, session.Count(), series.All.Select(known => known.Series), session.Ways.Count, durationNs);
        for (var i = 0; i < session.Ways.Count; i++)
        {
            var way = session.Ways[i];
            if (way.Shard is not { } shard)
                continue;
            var own = Facts(side.EndsOf(i), [way]) with { Lag = side.LagOf(i) };
            yield return Summary(
                $"{shard}: {own.Source} to {own.Destination}", own, way.Beats.Count(),
                side.Reads ? way.Delays.Parts : [], 1, durationNs);
        }
    }

    private ReplicationDelay Facts(LinkEnds ends, IReadOnlyList<ShardHeartbeats> ways) =>
        new()
        {
            Source = ends.Source,
            Destination = ends.Destination,
            SourceRegion = ends.SourceRegion,
            DestinationRegion = ends.DestinationRegion,
            ReadElsewhere = !side.Reads,
            Reading = side.Reading,
            Clocks = side.Clocks,
            ErrorNs = session.ErrorNs,
            DeadlineNs = plan.Options.Expiry.InNanoseconds,
            Polls = ways.Sum(way => way.Reader?.Polls ?? 0),
            PollBytes = ways.Sum(way => way.Reader is null ? 0 : way.Destination!.Bytes),
            Heartbeat = new HeartbeatFacts
            {
                IntervalNs = plan.HeartbeatIntervalNs,
                WindowNs = plan.Options.Continuous.Window.InNanoseconds,
                Windows = windows.Windows,
                LongestAgeNs = windows.LongestAgeNs,
                Alerts = alerts.Times,
            },
        };

    private RunSummary Summary(
        string name, ReplicationDelay facts, HeartbeatCounts counts, IEnumerable<MetricSeries> measured, int ways,
        long durationNs) =>
        DelaySummary.Of(
            name, facts, HeartbeatMetrics.Recorded(counts, side.Reads), measured, durationNs,
            Math.Min(durationNs, plan.Options.Duration?.InNanoseconds ?? long.MaxValue),
            ways * 1e9 / plan.HeartbeatIntervalNs, ProbeValue.Length);
}
