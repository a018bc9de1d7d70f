using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class ReadRun(CommandRun<DelayOptions> command, DelayResults results, ILogger<ReadRun> logger)
    : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly SessionEvents _events = new();
    private readonly List<AnnouncedReading> _readings = [];
    private ResolvedTarget _destination = null!;
    private ResolvedTarget? _control;
    private EndFacts? _facts;
    private LoneEnd? _place;
    private WriterSearch? _search;
    private WriterClock? _clock;
    private DelayTally _tally = new();
    private EndWatch? _end;
    private ReadIntervals? _intervals;
    private LagBytes? _lag;

    private DelayOptions Options => _plan.Options;

    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        Options.Target.Endpoints = Options.Control is { } other ? [Options.Destination!, other] : [Options.Destination!];
        var targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_destination, _control) = (targets[0], targets.Count > 1 ? targets[1] : null);
    }

    public void Connect(RunContext context) => InterruptibleStep.Run(
        () =>
        {
            _facts = EndFacts.Look("--destination", _destination);
            _place = LoneEnd.Open("destination", _facts, Options.Prefix, _events);
        },
        context.Stop);

    public void Calibrate(RunContext context)
    {
    }

    public void Rendezvous(RunContext context)
    {
        _search = new WriterSearch(
            WriterKind.Keys, Options, _plan.Run, _place!, _control, _facts!,
            place => new KeyQuestions(place, Options.ReconnectTimeout, context.Stop), logger);
        if (!_search.Find(context.Stop))
            return;
        RequireLife(_search.Announced);
        _clock = new WriterClock(_search.Clock);
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
            results.Begin(context, _destination);
    }

    public void Measure(RunContext context)
    {
        var announced = _search!.Announced;
        var endKey = WritingEnd.KeyOf(Options.Prefix, announced.Session);
        _intervals = new ReadIntervals(_tally, _readings, announced, _clock!, _events, logger);
        _end = new EndWatch(
            new KeyQuestions(_place!.PlaceOf(endKey), TimeSpan.Zero, context.Stop), endKey, announced.Writers,
            end => _readings.ForEach(reading => reading.Keys.End = end));
        using var lag = _search.Places.LagBehind(_control, Options.WatchInterval);
        using var watch = new EndWatchers(_readings.Select(one => one.Place), Options.WatchInterval, _events);
        var readers = _readings.ConvertAll(reading => new SessionThread(
            FormattableString.Invariant($"delay-reader-{reading.Number}"), reading.Reader.Run, StopAll));
        ReplicationLog.DelaysAreProvisional(logger);
        var description = results.Describe($"{announced.Source} to {_destination.Name}") with { Sent = "due" };
        results.Measure(context, description, _intervals, () =>
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
        _intervals.Correct(results.Saved.Log);
    }

    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        var account = new ReadAccount(_search!, _clock!, _readings, _tally, Options, _destination.Name);
        var keys = account.Whole() with { Lag = _lag };
        account.CountMissing();
        var late = _readings.Sum(one => one.Keys.Late);
        var last = _readings.Max(one => one.Delays.LastSentNs);
        return results.Report(context, new DelayOutcome
        {
            Keys = keys,
            Shards = account.Shards(),
            Series = _intervals.Series,
            Tally = _tally,
            Sent = keys.Asked - keys.Unsent,
            Rate = 1e9 / _search!.Announced.IntervalNs,
            DurationNs = Math.Max(1, last - _readings.Min(one => one.Keys.FirstDueNs)),
            Targets = [.. Targets()],
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
        _search?.Dispose();
        _readings.ForEach(reading => reading.Dispose());
        _place?.Dispose();
    }

    // A key that expired while the link stood still would count as missing.
    private void RequireLife(Announcement announced)
    {
        var deadline = Options.Deadline.Ticks * TimeSpan.NanosecondsPerTick;
        if (announced.IsPublished || announced.ExpiryNs >= deadline)
            return;
        throw new RunRefusedException(
            $"The writer of {announced.Source} lets its keys live for {Quantity.Duration(announced.ExpiryNs)}, and they are "
            + $"looked for {Quantity.Duration(deadline)}: give delay write a longer --expiry, or a shorter --deadline here.");
    }

    private void StopAll() => _readings.ForEach(reading => reading.Keys.Stop());

    private IEnumerable<MeasuredTarget> Targets() => _search!.Places.Servers.Select((facts, shard) => DelayRecord.TargetOf(
        _readings[shard].Place.Label, facts.Target, facts.Server, _readings[shard].Destination.Current))
        .DistinctBy(target => target.Endpoint);

    private IEnumerable<string> PairFaults()
    {
        var clock = _clock!;
        var uncorrected = _readings.Sum(one => one.Delays.Uncorrected);
        var negative = _readings.Sum(one => one.Delays.NegativesBeyondError);
        if (uncorrected > 0)
            yield return $"Of {Quantity.Count(uncorrected)} keys no delay is known: the writer's clock is not.";
        if (clock.Contradicted > 0)
            yield return DelayVerdict.RefutedClaim;
        if (clock.Contradicting > 0)
            yield return DelayVerdict.Contradicting(clock.Contradicting);
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
    }
}
