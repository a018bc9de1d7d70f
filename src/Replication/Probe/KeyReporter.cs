using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Links;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Probe;

/// <summary>Shows and logs once a second what a session with a new key for each probe measures.</summary>
internal sealed class KeyReporter : ProbeReporter
{
    private readonly DelayPlan _plan;
    private readonly RunContext _run;
    private readonly ProbeSide _side;
    private readonly KeySession _session;
    private readonly RunRecording _recording;
    private readonly EventReporter _events;
    private readonly MetricSet _shown;
    private readonly MetricSet _metrics;
    private readonly IReadOnlyList<ProcessorWaits?> _path;
    private IntervalReporter? _reporter;
    private long _returnedBefore;

    public KeyReporter(
        DelayPlan plan, RunContext run, ProbeSide side, RunRecording recording, SessionEvents events)
    {
        (_plan, _run, _side, _recording) = (plan, run, side, recording);
        _session = (KeySession)side.Session;
        _events = new EventReporter(events, run.Logger);
        _metrics = side.Corrected?.Metrics ?? _session.NewMetrics(side.Waits);
        _shown = side.Corrected?.Provisional ?? _metrics;
        _path = LocalServer.WaitsOf(side.Targets);
        DelayMetrics.AddLag(_metrics, () => LagOf(_session.Readings));
        foreach (var one in _session.Destinations)
            DelayMetrics.AddLag(one.Metrics, () => LagOf(one.Shards));
    }

    public override IReadOnlyList<MetricSeries> Series => _metrics.Series;

    public override IReadOnlyList<ProcessorWaits> Waits => _shown.Waits;

    public override long DurationNs => _side.Corrected?.WritingNs ?? _session.WritingNs;

    public override void Begin() => _reporter = _recording.Report(_shown, EndInterval, Description(), _path);

    public override void Stop()
    {
        _reporter?.Stop();
        _reporter?.Dispose();
    }

    public override void Finish()
    {
        foreach (var destination in _session.Destinations)
        {
            foreach (var shard in destination.Shards)
                shard.Probes.Tally.CountMissing(shard.Probes.Counts.Asked);
            if (destination.Shards.Count > 1)
                destination.Tally.CountMissing(destination.Counts.Asked);
        }

        if (_session.Destinations.Count > 1)
            _session.Tally.CountMissing(_session.Counts.Asked);
        _session.Lateness.Total.AddMissing(_session.Written.Unsent);
        _side.CountMissing();
        if (_plan.Options.EachKey)
            KeyTrace.Write(_recording.Saved.CreateLines(KeyTrace.FileName), _session);
    }

    // One on what was read is held against each destination, or against the one that it names.
    public override IEnumerable<MeasuredThreshold> Thresholds(ProbeAccount account) =>
        _plan.Options.Output.Thresholds.SelectMany(threshold => Evaluate(threshold, account.Destinations));

    public override IEnumerable<string> Faults(ProbeAccount account)
    {
        if (_side.Reads)
        {
            foreach (var fault in account.OfEach(one => DelayVerdict.ReadingFaults(one.Counts)))
                yield return fault;
        }
        else if (DelayVerdict.UnwrittenFault(_session.Written) is { } unwritten)
        {
            yield return unwritten;
        }

        foreach (var fault in DelayVerdict.CheckFaults(_plan, _run.IsWhole))
            yield return fault;
        if (_side.Writes && _run.IsWhole && DelayVerdict.WritingFault(_side.Ends.Source, _session, _plan) is { } late)
            yield return late;
    }

    public override IEnumerable<string> Notes(ProbeAccount account) =>
    [
        .. account.OfEach(destination => DelayVerdict.ReadingNotes(
            destination.Counts, _plan.Options.Deadline, destination.Uncertainty.Total,
            ProbeAccount.MissingAtSource(destination.Shards),
            ProbeAccount.MissingUnconfirmed(destination.Shards) ?? 0)),
        .. DelayVerdict.WritingNotes(_session),
    ];

    public override void Dispose() => _reporter?.Dispose();

    private LiveDescription Description()
    {
        var description = _plan.Describe(_side.Title, _metrics);
        // The delays are the reader's; what is known here is what WAIT took.
        return _side.Reads ? description : description with { Latency = DelayMetrics.Wait.Name, Returned = null };
    }

    private void EndInterval(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _side.Settle(isLast: false);
        _events.Report();
        _session.Describe(ref snapshot);
        if (!_side.Writes)
        {
            snapshot.AchievedRate = (snapshot.Returned - _returnedBefore) / interval.Duration.TotalSeconds;
            _returnedBefore = snapshot.Returned;
        }
        else if (_side.Reads)
        {
            // As in the result, a key counts once for each destination; the schedule is of keys.
            snapshot.AchievedRate /= _session.Destinations.Count;
        }
        else if (_side.Waits is [var wait, ..])
        {
            snapshot.Take(wait, LiveColumn.Latency);
        }
    }

    private IEnumerable<MeasuredThreshold> Evaluate(Threshold threshold, IReadOnlyList<PartOutcome> destinations)
    {
        if (destinations is [var first, ..])
        {
            if (DelayMetrics.IsOfEachDestination(threshold))
            {
                return destinations.Where(one => threshold.Scope is null || Is(one.Probes, threshold.Scope.Name))
                    .Select(one => At(one, threshold));
            }

            // What became of a key at the source is the same for each.
            if (first.Metrics.Find(threshold) is { } reading)
                return [RunRecordParts.Threshold(threshold.Evaluate(reading))];
        }

        return [RunRecordParts.Threshold(threshold.Evaluate(_metrics))];
    }

    private LagBytes? LagOf(IEnumerable<ShardReading> readings) => _side.LagAt(readings.Select(one => one.Server));

    private static bool Is(ReplicationDelay keys, string name) =>
        name == keys.DestinationRegion || name == keys.Destination;

    private static MeasuredThreshold At(PartOutcome one, Threshold threshold)
    {
        var name = one.Probes.DestinationRegion ?? one.Probes.Destination;
        var result = RunRecordParts.Threshold(threshold.Evaluate(one.Metrics), threshold.Scope is null ? name : null);
        return threshold.Scope is null ? result with { Reason = $"{result.Reason}, at {name}" } : result;
    }
}
