using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication;

internal sealed class ReadRun(DelayPlan plan, RunContext run)
{
    private readonly SessionEvents _events = new();

    private DelayOptions Options => plan.Options;

    public int Run()
    {
        using var side = new DestinationSide(plan, _events);

        run.Enter(RunPhase.Connect);
        side.Connect(run.Stop);

        run.Enter(RunPhase.Rendezvous);
        using var met = side.Meet(Options.ReconnectTimeout, run.Stop, run.Logger)
            ?? throw new OperationCanceledException();
        var (announced, places, clock) = met;
        RequireLife(announced);
        List<AnnouncedKeys> keys =
            [.. announced.Shards.Select((_, shard) => new AnnouncedKeys(announced, shard, clock, Options))];
        var destination = new DestinationReading(
            new ReadDestination(0, side.Destination, Options.Identity.Region),
            [
                .. keys.Zip(
                    places.Places, (shard, place) => new KeyReading(shard, place, Options, _events, run.Stop)),
            ]);
        using var session = new KeySession(plan, destination, _events, run.Stop);
        using var stopping = session.Ending.Register(() => keys.ForEach(shard => shard.Stop()));

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, side.Targets);
        var intervals = new ReadIntervals(keys, destination, announced, clock, _events, run.Logger);
        using var end = new EndWatch(
            side.OpenQuestions(TimeSpan.Zero, run.Stop), Announcement.KeyOf(plan), announced.Session,
            written => keys.ForEach(shard => shard.End = written));
        end.Begin();
        using var lag = places.LagBehind(side.Control, Options.WatchInterval);
        var servers = LocalServer.WaitsOf(side.Targets);
        recording.Measure(() =>
        {
            using var watch = new NodeWatchers(places.Places, Options.WatchInterval, _events);
            ReplicationLog.DelaysAreProvisional(run.Logger);
            var description = plan.Describe($"{announced.Source} to {side.Destination.Name}") with { Sent = "due" };
            using var reporter = recording.Report(intervals.Provisional, intervals.End, description, servers);
            try
            {
                session.Run();
            }
            finally
            {
                reporter.Stop();
                intervals.Metrics.Waits = intervals.Provisional.Waits;
                lag?.Dispose();
            }
        });
        run.Drain(() =>
        {
            if (run.Failure is null)
                end.Wait(Options.Deadline);
            clock.Complete();
            clock.Direct.Settle(clock, long.MaxValue);
            intervals.Correct(recording.Saved.Log);
        });

        run.Enter(RunPhase.Report);
        var outcome = Outcome(met, keys, destination, intervals, lag?.Result, end.End is not null);
        return recording.Finish(recording.Describe(outcome.ToFindings(plan, run)));
    }

    private DelayOutcome Outcome(
        MetWriter met, List<AnnouncedKeys> shards, DestinationReading destination, ReadIntervals intervals,
        LagBytes? lag, bool isEndKnown)
    {
        var (announced, places, clock) = met;
        var errorNs = shards.Max(one => one.Delays.ErrorNs);
        var account = new KeyAccount(announced.Source, [destination], Options)
        {
            Complete = (keys, _) => keys with
            {
                SourceRegion = announced.Region,
                Clocks = clock.Describe(errorNs),
                ErrorNs = errorNs,
            },
        };
        var whole = account.Whole() with
        {
            Direct = clock.Direct.Beside(destination.Tally.FromSent.Middle),
            Lag = lag,
        };
        account.CountMissing(destination.Tally);
        var late = shards.Sum(one => one.Late);
        var last = shards.Max(one => one.Delays.LastSentNs);
        return new DelayOutcome
        {
            Keys = whole,
            Shards = account.Shards(),
            Metrics = intervals.Metrics,
            Rate = 1e9 / announced.IntervalNs,
            DurationNs = Math.Max(1, last - shards.Min(one => one.FirstDueNs)),
            Targets = places.ToRecord(shard => destination.Shards[shard].Destination.Current),
            Events = _events,
            Faults =
            [
                .. account.Faults(),
                .. clock.Faults(
                    shards.Sum(one => one.Delays.NegativesBeyondError), shards.Sum(one => one.Delays.Uncorrected)),
            ],
            Notes =
            [
                .. late > 0
                    ? [$"{Quantity.Count(late)} keys were due before the writer was heard of here; they do not count."]
                    : Array.Empty<string>(),
                .. isEndKnown
                    ? Array.Empty<string>()
                    : ["The writer did not report how it ended: keys that it never sent count as missing."],
                .. account.Notes(), .. places.Notes,
            ],
        };
    }

    // A key that expired while the link stood still would count as missing.
    private void RequireLife(Announcement announced)
    {
        var deadline = Options.Deadline.InNanoseconds;
        if (announced.ExpiryNs >= deadline)
            return;
        throw new RunRefusedException(
            $"The writer of {announced.Source} lets its keys live for {Quantity.Duration(announced.ExpiryNs)}, and "
            + $"they are polled for {Quantity.Duration(deadline)}: give delay write a longer --expiry, or a shorter "
            + "--deadline here.");
    }
}
