using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication;

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
        var places = search.Places;
        List<AnnouncedKeys> keys =
            [.. announced.Shards.Select((_, shard) => new AnnouncedKeys(announced, shard, clock, Options))];
        using var destination = new DestinationReading(
            new ReadDestination(0, side.Destination, Options.Identity.Region),
            [
                .. keys.Zip(
                    places.Places, (shard, place) => new KeyReading(shard, place, Options, _events, run.Stop)),
            ]);

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, side.Targets);
        var intervals = new ReadIntervals(keys, destination, announced, clock, _events, run.Logger);
        using var end = new EndWatch(
            new KeyQuestions(side.End.PlaceOf(search.Key), TimeSpan.Zero, run.Stop), search.Key, announced.Session,
            written => keys.ForEach(shard => shard.End = written));
        end.Begin();
        using var lag = places.LagBehind(side.Control, Options.WatchInterval);
        var servers = LocalServer.WaitsOf(side.Targets);
        recording.Measure(() =>
        {
            using var watch = new NodeWatchers(places.Places, Options.WatchInterval, _events);
            try
            {
                Read(keys, destination, intervals, recording, $"{announced.Source} to {side.Destination.Name}", servers);
            }
            finally
            {
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
        var outcome = Outcome(search, clock, keys, destination, intervals, lag?.Result, end.End is not null);
        return recording.Finish(recording.Describe(outcome.ToFindings(plan, run)));
    }

    private void Read(
        List<AnnouncedKeys> keys, DestinationReading destination, ReadIntervals intervals, RunRecording recording,
        string title, IReadOnlyList<ProcessorWaits?> servers)
    {
        var readers = destination.Shards.Select((reading, number) => new SessionThread(
            FormattableString.Invariant($"delay-reader-{number}"), reading.Reader.Run, Stop)).ToList();
        ReplicationLog.DelaysAreProvisional(run.Logger);
        using (var reporter = recording.Report(
            intervals.Provisional, intervals.End, plan.Describe(title) with { Sent = "due" }, servers))
        {
            foreach (var reader in readers)
            {
                while (!reader.Join(Slice))
                {
                    if (run.Stop.IsRequested)
                        Stop();
                }
            }

            reporter.Stop();
        }

        intervals.Metrics.Waits = intervals.Provisional.Waits;
        readers.ForEach(reader => reader.ThrowIfFailed());

        void Stop() => keys.ForEach(shard => shard.Stop());
    }

    private DelayOutcome Outcome(
        WriterSearch search, SettledClock clock, List<AnnouncedKeys> shards, DestinationReading destination,
        ReadIntervals intervals, LagBytes? lag, bool isEndKnown)
    {
        var errorNs = shards.Max(one => one.Delays.ErrorNs);
        var account = new KeyAccount(search.Announced.Source, [destination], Options)
        {
            Complete = (keys, _) => keys with
            {
                SourceRegion = search.Announced.Region,
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
            Rate = 1e9 / search.Announced.IntervalNs,
            DurationNs = Math.Max(1, last - shards.Min(one => one.FirstDueNs)),
            Targets = search.Places.ToRecord(shard => destination.Shards[shard].Destination.Current),
            Events = _events,
            Faults = [.. account.Faults(), .. PairFaults(clock, shards)],
            Notes =
            [
                .. late > 0
                    ? [$"{Quantity.Count(late)} keys were due before the writer was heard of here; they do not count."]
                    : Array.Empty<string>(),
                .. isEndKnown
                    ? Array.Empty<string>()
                    : ["The writer did not report how it ended: keys that it never sent count as missing."],
                .. account.Notes(), .. search.Places.Notes,
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

    private static IEnumerable<string> PairFaults(SettledClock clock, List<AnnouncedKeys> shards)
    {
        var uncorrected = shards.Sum(one => one.Delays.Uncorrected);
        var negative = shards.Sum(one => one.Delays.NegativesBeyondError);
        if (uncorrected > 0)
            yield return $"Of {Quantity.Count(uncorrected)} keys no delay is known: the writer's clock is not.";
        foreach (var fault in clock.Faults)
            yield return fault;
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
    }
}

/// <summary>
/// What is measured by a reader: shown as it is found, logged at the end. A delay is known when the offset of its
/// moment is.
/// </summary>
internal sealed class ReadIntervals
{
    private const long SecondNs = 1_000_000_000;
    private const long BlockNs = SecondNs / BlockSchedule.TicksPerSecond;

    private readonly IReadOnlyList<AnnouncedKeys> _shards;
    private readonly Announcement _announced;
    private readonly SettledClock _clock;
    private readonly EventReporter _events;
    private readonly long _startNs = MonotonicClock.NowNs();
    private long _returnedBefore;

    public ReadIntervals(
        IReadOnlyList<AnnouncedKeys> shards, DestinationReading destination, Announcement announced,
        SettledClock clock, SessionEvents events, ILogger logger)
    {
        var counts = () => destination.Counts;
        (_shards, _announced, _clock) = (shards, announced, clock);
        _events = new EventReporter(events, logger);
        var lateness = new MetricSeries(DelayMetrics.Lateness, [.. shards.Select(one => one.Delays.Lateness)]);
        Metrics = DelayMetrics.Of(
            destination.Tally, counts, () => shards.Max(one => one.Delays.ErrorNs), destination.Uncertainty,
            lateness);
        Metrics.AddReading(Metric.Hiccups, threshold => Provisional.Find(threshold));
        foreach (var one in destination.Shards.Where(one => one.Keys.Shard is not null))
            Metrics.Add(one.Metrics);
        AddProvisional(DelayMetrics.Delay, tally => tally.FromSent);
        AddProvisional(DelayMetrics.DelayFromIntended, tally => tally.FromIntended);
        DelayMetrics.AddCounts(Provisional, counts);
        Provisional.Add(DelayMetrics.InFlight, () => destination.Shards.Sum(reading => reading.Reader.Pending));

        void AddProvisional(Metric metric, Func<DelayTally, DelaySeries> series) => Provisional.Add(
            new MetricSeries(metric, [.. shards.Select(one => series(one.Provisional).Uppers)]),
            isLogged: false);
    }

    public MetricSet Provisional { get; } = new();
    public MetricSet Metrics { get; }

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _clock.Feed();
        _events.Report();
        snapshot.Elapsed = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - _startNs);
        snapshot.Planned = TimeSpan.FromSeconds(_announced.Keys * _announced.IntervalNs / 1e9);
        snapshot.Progress = Math.Min(1, (double)(snapshot.Returned + snapshot.Lost) / _announced.Keys);
        snapshot.TargetRate = 1e9 / _announced.IntervalNs;
        snapshot.AchievedRate = (snapshot.Returned - _returnedBefore) / interval.Duration.TotalSeconds;
        _returnedBefore = snapshot.Returned;
    }

    public void Correct(IntervalLogFile log)
    {
        var wallClock = WallClockMapping.Sample();
        var next = new int[_shards.Count];
        for (var start = _startNs; IsMore(next); start += SecondNs)
        {
            var isAny = false;
            for (var end = start + BlockNs; end <= start + SecondNs; end += BlockNs)
            {
                isAny |= AddUntil(end, next);
                Metrics.TakeBlock(BlockSchedule.Tick);
            }

            Metrics.EndInterval();
            if (!isAny)
                continue;
            foreach (var (tag, series) in Metrics.Logged)
                log.Write(tag, wallClock.ToUtc(start), TimeSpan.FromSeconds(1), series.Interval);
        }
    }

    private bool AddUntil(long endNs, int[] next)
    {
        var isAny = false;
        for (var i = 0; i < next.Length; i++)
        {
            var keys = _shards[i].Read;
            for (; next[i] < keys.Count && keys[next[i]].FoundNs < endNs; next[i]++)
            {
                _shards[i].Delays.Add(keys[next[i]]);
                isAny = true;
            }
        }

        return isAny;
    }

    private bool IsMore(int[] next) => _shards.Where((one, i) => next[i] < one.Read.Count).Any();
}
