using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class ReadRun(DelayPlan plan, RunContext run)
{
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    private readonly SessionEvents _events = new();

    private DelayOptions Options => plan.Options;

    public int Run()
    {
        using var side = new DestinationSide(plan, _events);

        run.Enter(RunPhase.Connect);
        side.Connect(run.Stop);

        run.Enter(RunPhase.Rendezvous);
        using var search = side.Search(
            place => new KeyQuestions(place, Options.ReconnectTimeout, run.Stop), run.Logger);
        if (!search.Find(run.Stop))
            throw new OperationCanceledException();
        var announced = search.Announced;
        RequireLife(announced);
        using var clock = new SettledClock(search.TakeClock());
        using var shards = new ShardReadings(search, clock, Options, _events, run.Stop);

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, side.Targets);
        var endKey = WritingEnd.KeyOf(Options.Prefix, announced.Session);
        var intervals = new ReadIntervals(shards.Tally, shards.All, announced, clock, _events, run.Logger);
        using var end = new EndWatch(
            new KeyQuestions(side.End.PlaceOf(endKey), TimeSpan.Zero, run.Stop), endKey, announced.Writers,
            shards.EndAt);
        LagBytes? lag = null;
        recording.Measure(() =>
        {
            using var watchedLag = search.Places.LagBehind(side.Control, Options.WatchInterval);
            using var watch = new EndWatchers(shards.All.Select(one => one.Place), Options.WatchInterval, _events);
            try
            {
                Read(shards, intervals, recording, $"{announced.Source} to {side.Destination.Name}");
            }
            finally
            {
                lag = watchedLag?.Result;
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
        var outcome = Outcome(search, clock, shards, intervals, side.Destination.Name, lag, end.End is not null);
        return recording.Finish(recording.Describe(outcome.ToFindings(plan, recording.Instrument.Hiccups)));
    }

    private void Read(ShardReadings shards, ReadIntervals intervals, RunRecording recording, string title)
    {
        var readers = shards.All.Select(reading => new SessionThread(
            FormattableString.Invariant($"delay-reader-{reading.Number}"), reading.Reader.Run, shards.Stop)).ToList();
        ReplicationLog.DelaysAreProvisional(run.Logger);
        using (var reporter = recording.Report(intervals, plan.Describe(title) with { Sent = "due" }))
        {
            foreach (var reader in readers)
            {
                while (!reader.Join(Slice))
                {
                    if (run.Stop.IsRequested)
                        shards.Stop();
                }
            }

            reporter.Stop();
        }

        readers.ForEach(reader => reader.ThrowIfFailed());
    }

    private DelayOutcome Outcome(
        WriterSearch search,
        SettledClock clock,
        ShardReadings shards,
        ReadIntervals intervals,
        string destination,
        LagBytes? lag,
        bool isEndKnown)
    {
        var readings = shards.All;
        var account = new ReadAccount(search, clock, readings, shards.Tally, Options, destination);
        var keys = account.Whole() with { Lag = lag };
        account.CountMissing();
        var late = readings.Sum(one => one.Keys.Late);
        var last = readings.Max(one => one.Delays.LastSentNs);
        return new DelayOutcome
        {
            Keys = keys,
            Shards = account.Shards(),
            Series = intervals.Series,
            Tally = shards.Tally,
            Sent = keys.Asked - keys.Unsent,
            Rate = 1e9 / search.Announced.IntervalNs,
            DurationNs = Math.Max(1, last - readings.Min(one => one.Keys.FirstDueNs)),
            Targets = search.Places.ToRecord(shard => readings[shard].Destination.Current),
            Events = _events,
            Faults = [.. DelayVerdict.ClockFaults(), .. DelayVerdict.ReadingFaults(keys), .. PairFaults(clock, readings)],
            Notes =
            [
                .. late > 0
                    ? [$"{Quantity.Count(late)} keys were due before the writer was heard of here; they do not count."]
                    : Array.Empty<string>(),
                .. isEndKnown
                    ? Array.Empty<string>()
                    : ["The writer did not tell how it ended: keys that it never sent count as missing."],
                .. DelayVerdict.ReadingNotes(keys, intervals.Uncertainty.Total, null),
                .. DelayVerdict.PushNotes(readings.Sum(one => one.Reader.Unpushed)),
                .. search.Places.Notes,
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
            + $"they are looked for {Quantity.Duration(deadline)}: give delay write a longer --expiry, or a shorter "
            + "--deadline here.");
    }

    private static IEnumerable<string> PairFaults(SettledClock clock, IReadOnlyList<AnnouncedReading> readings)
    {
        var uncorrected = readings.Sum(one => one.Delays.Uncorrected);
        var negative = readings.Sum(one => one.Delays.NegativesBeyondError);
        if (uncorrected > 0)
            yield return $"Of {Quantity.Count(uncorrected)} keys no delay is known: the writer's clock is not.";
        foreach (var fault in clock.Faults)
            yield return fault;
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
    }
}

/// <summary>What one writer announced, read shard by shard.</summary>
internal sealed class ShardReadings : IDisposable
{
    private readonly List<AnnouncedReading> _all = [];

    public ShardReadings(
        WriterSearch search, SettledClock clock, DelayOptions options, SessionEvents events, IStopToken stop)
    {
        for (var shard = 0; shard < search.Announced.Shards.Count; shard++)
        {
            _all.Add(new AnnouncedReading(
                search.Announced, shard, search.Places.Places[shard], clock, search.Places.Reading, options, events,
                stop));
        }

        Tally = _all.Count == 1 ? _all[0].Tally : new DelayTally([.. _all.Select(one => one.Tally)]);
    }

    public IReadOnlyList<AnnouncedReading> All => _all;

    public DelayTally Tally { get; }

    public void EndAt(WritingEnd end) => _all.ForEach(reading => reading.Keys.End = end);

    public void Stop() => _all.ForEach(reading => reading.Keys.Stop());

    public void Dispose() => _all.ForEach(reading => reading.Dispose());
}
