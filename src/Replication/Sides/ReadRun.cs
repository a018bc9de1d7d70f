using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

internal sealed class ReadRun(DelayPlan plan, DelayResults results, ILogger<ReadRun> logger)
    : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    private readonly SessionEvents _events = new();
    private readonly List<AnnouncedReading> _readings = [];
    private DestinationSide? _side;
    private WriterSearch? _search;
    private SettledClock? _clock;
    private DelayTally _tally = new();
    private EndWatch? _end;
    private ReadIntervals? _intervals;
    private LagBytes? _lag;

    private DelayOptions Options => plan.Options;

    private DestinationSide Side => _side ?? throw new InvalidOperationException("It is not resolved yet.");

    public void Resolve(RunContext context)
    {
        _side = new DestinationSide(plan, _events);
        _side.Resolve();
    }

    public void Connect(RunContext context) => Side.Connect(context.Stop);

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
        _search = Side.Search(place => new KeyQuestions(place, Options.ReconnectTimeout, context.Stop), logger);
        if (!_search.Find(context.Stop))
            return;
        RequireLife(_search.Announced);
        _clock = new SettledClock(_search.TakeClock());
        var announced = _search.Announced;
        for (var i = 0; i < announced.Shards.Count; i++)
        {
            _readings.Add(new AnnouncedReading(
                announced, i, _search.Places.Places[i], _clock, _search.Places.Reading, Options, _events,
                context.Stop));
        }

        _tally = _readings.Count == 1 ? _readings[0].Tally : new DelayTally([.. _readings.Select(one => one.Tally)]);
    }

    public void WarmUp(RunContext context)
    {
        if (_readings.Count > 0 && !context.Stop.IsRequested)
            results.Begin(context, Side.Targets);
    }

    public void Measure(RunContext context)
    {
        var announced = _search!.Announced;
        var endKey = WritingEnd.KeyOf(Options.Prefix, announced.Session);
        _intervals = new ReadIntervals(_tally, _readings, announced, _clock!, _events, logger);
        _end = new EndWatch(
            new KeyQuestions(Side.End.PlaceOf(endKey), TimeSpan.Zero, context.Stop), endKey, announced.Writers,
            end => _readings.ForEach(reading => reading.Keys.End = end));
        using var lag = _search.Places.LagBehind(Side.Control, Options.WatchInterval);
        using var watch = new EndWatchers(_readings.Select(one => one.Place), Options.WatchInterval, _events);
        var readers = _readings.ConvertAll(reading => new SessionThread(
            FormattableString.Invariant($"delay-reader-{reading.Number}"), reading.Reader.Run, StopAll));
        ReplicationLog.DelaysAreProvisional(logger);
        var description = results.Describe($"{announced.Source} to {Side.Destination.Name}") with { Sent = "due" };
        results.Measure(context, description, _intervals.Provisional, _intervals.End, () =>
        {
            foreach (var reader in readers)
            {
                while (!reader.Join(Slice))
                {
                    if (context.Stop.IsRequested)
                        StopAll();
                }
            }
        });
        _lag = lag?.Result;
        readers.ForEach(reader => reader.ThrowIfFailed());
    }

    public void Drain(RunContext context)
    {
        results.End();
        if (_intervals is null)
            return;
        if (context.StoppedBy is null && context.Failure is null)
            _end!.Wait(Options.Deadline);
        _clock!.Complete();
        _clock.Direct.Settle(_clock, long.MaxValue);
        _intervals.Correct(results.Saved.Log);
    }

    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        var account = new ReadAccount(_search!, _clock!, _readings, _tally, Options, Side.Destination.Name);
        var keys = account.Whole() with { Lag = _lag };
        account.CountMissing();
        var late = _readings.Sum(one => one.Keys.Late);
        var last = _readings.Max(one => one.Delays.LastSentNs);
        return results.Report(context, new DelayOutcome
        {
            Keys = keys,
            Shards = account.Shards(),
            Metrics = _intervals.Metrics,
            Sent = keys.Asked - keys.Unsent,
            Rate = 1e9 / _search!.Announced.IntervalNs,
            DurationNs = Math.Max(1, last - _readings.Min(one => one.Keys.FirstDueNs)),
            Targets = _search.Places.ToRecord(shard => _readings[shard].Destination.Current),
            Events = _events,
            Faults = [.. DelayVerdict.ClockFaults(), .. DelayVerdict.ReadingFaults(keys), .. PairFaults()],
            Notes =
            [
                .. late > 0
                    ? [$"{Quantity.Count(late)} keys were due before the writer was heard of here; they do not count."]
                    : Array.Empty<string>(),
                .. _end!.End is null
                    ? ["The writer did not tell how it ended: keys that it never sent count as missing."]
                    : Array.Empty<string>(),
                .. DelayVerdict.ReadingNotes(keys, _intervals.Uncertainty.Total, null),
                .. DelayVerdict.PushNotes(_readings.Sum(one => one.Reader.Unpushed)),
                .. _search.Places.Notes,
            ],
        });
    }

    public void Dispose()
    {
        _end?.Dispose();
        _clock?.Dispose();
        _search?.Dispose();
        _readings.ForEach(reading => reading.Dispose());
        _side?.Dispose();
    }

    // A key that expired while the link stood still would count as missing.
    private void RequireLife(Announcement announced)
    {
        var deadline = Options.Deadline.InNanoseconds;
        if (announced.ExpiryNs >= deadline)
            return;
        throw new RunRefusedException(
            $"The writer of {announced.Source} lets its keys live for {Quantity.Duration(announced.ExpiryNs)}, and "
                + "they are "
            + $"looked for {Quantity.Duration(deadline)}: give delay write a longer --expiry, or a shorter --deadline "
            + "here.");
    }

    private void StopAll() => _readings.ForEach(reading => reading.Keys.Stop());

    private IEnumerable<string> PairFaults()
    {
        var clock = _clock!;
        var uncorrected = _readings.Sum(one => one.Delays.Uncorrected);
        var negative = _readings.Sum(one => one.Delays.NegativesBeyondError);
        if (uncorrected > 0)
            yield return $"Of {Quantity.Count(uncorrected)} keys no delay is known: the writer's clock is not.";
        foreach (var fault in clock.Faults)
            yield return fault;
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
    }
}
