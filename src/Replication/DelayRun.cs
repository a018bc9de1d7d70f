using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Replication;

internal sealed class DelayRun(DelayPlan plan, RunContext run)
{
    private readonly SessionEvents _events = new();

    private DelayOptions Options => plan.Options;

    public int Run()
    {
        using var ends = new LinkedNodes(plan);
        if (ends.IsEmbedded)
        {
            // Nobody acknowledges there: the forwarder is no replica.
            Options.WaitInterval = TimeSpan.Zero;
            plan.Bound.Resolve("--wait-interval", "0s");
        }

        run.Enter(RunPhase.Connect);
        ends.Connect(Options, _events, run.Stop, run.Logger);
        List<ReadDestination> destinations =
        [
            .. ends.Destinations.Select((target, number) => new ReadDestination(
                number, target, Options.DestinationRegions.ElementAtOrDefault(number))),
        ];

        run.Enter(RunPhase.Rendezvous);
        ends.AwaitFirstKeys(Options, run.Stop, run.Logger);

        run.Enter(RunPhase.WarmUp);
        if (plan.WarmUpKeys > 0)
        {
            ReplicationLog.WarmingUp(run.Logger);
            using var warmUp = Session(plan.WarmUpKeys);
            warmUp.Run();
        }

        run.Stop.Cancellation.ThrowIfCancellationRequested();
        using var recording = plan.Record(run, [ends.Source, .. ends.Destinations]);
        using var session = Session(plan.Keys);
        using var watch = new LinkWatch(ends.Ways, Options, session.Id, _events);
        var metrics = session.NewMetrics(watch.Series);
        var events = new EventReporter(_events, run.Logger);

        // Measuring ends when every key is accounted for.
        var servers = LocalServer.WaitsOf([ends.Source, .. ends.Destinations]);
        recording.Measure(() =>
        {
            using var reporter = recording.Report(metrics, EndInterval, plan.Describe(ends.Title), servers);
            try
            {
                session.Run();
            }
            finally
            {
                watch.Dispose();
                reporter.Stop();
            }
        });

        run.Enter(RunPhase.Report);
        if (Options.EachKey)
            KeyTrace.Write(recording.Saved.CreateLines(KeyTrace.FileName), session);
        return Finish(recording, recording.Describe(Outcome(ends, session, watch, metrics).ToFindings(plan, run)));

        KeySession Session(long keys) => new(plan, destinations, keys, ends.Ways, _events, run.Stop);

        void EndInterval(in TakenInterval interval, ref LiveSnapshot snapshot)
        {
            events.Report();
            session.Describe(ref snapshot);
            // As in the result, a key counts once for each destination; the schedule is of keys.
            snapshot.AchievedRate /= session.Destinations.Count;
        }
    }

    private int Finish(RunRecording recording, RunRecord record)
    {
        if (!Options.IsCheck || Options.Output.Format != OutputFormat.Text)
            return recording.Finish(record);
        run.Output.WriteLine(CheckLine.Of(record, plan.Keys));
        run.Output.Flush();
        return record.ExitCode;
    }

    private DelayOutcome Outcome(LinkedNodes ends, KeySession session, LinkWatch watch, MetricSet metrics)
    {
        var account = new KeyAccount(ends.Source.Name, session.Destinations, Options)
        {
            Complete = (keys, of) => keys with
            {
                SourceRegion = Options.SourceRegion,
                ReadingShare = watch.ReadingShareAt(of.Select(one => one.Place)),
                Lag = watch.LagAt(of.Select(one => one.Place)),
            },
        };
        var readings = session.Readings.ToList();
        account.CountMissing(session.Tally!);
        session.Lateness.Total.AddMissing(session.Written.Unsent);
        watch.CountMissing();
        return new DelayOutcome
        {
            Keys = account.Whole(),
            Destinations = account.Destinations(),
            Shards = account.Shards(),
            Metrics = metrics,
            Rate = Options.Rate,
            DurationNs = session.WritingNs,
            Targets = ends.Targets(
                way => session.PipelineTo(ends.Ways[way].Stream), way => readings[way].Destination.Current),
            Events = _events,
            Faults =
            [
                .. account.Faults(), .. DelayVerdict.CheckFaults(plan, run.IsWhole),
                .. DelayVerdict.WritingFaults(ends.Source.Name, session, plan, run.IsWhole),
            ],
            Notes =
            [
                .. ends.Notes,
                .. account.Notes(), .. DelayVerdict.WritingNotes(session), .. watch.Notes,
            ],
        };
    }
}
