using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Places;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reporting;

namespace RedisLatency.Replication.Delay.Apart;

/// <summary>What <c>delay read</c> does in each phase.</summary>
internal sealed class ReadRun(CommandRun<DelayOptions> command, DelayResults results, ILogger<ReadRun> logger)
    : IMeasuredRun, IDisposable
{
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly SessionEvents _events = new();
    private readonly DelayTally _tally = new();
    private ResolvedTarget _destination = null!;
    private ResolvedTarget? _control;
    private EndFacts? _facts;
    private WriterSearch? _search;
    private LastingPipeline? _pipeline;
    private AnnouncedKeys? _keys;
    private PollingReader? _reader;
    private EndWatch? _end;
    private ReadIntervals? _intervals;
    private CorrectedDelays? _delays;

    private DelayOptions Options => _plan.Options;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        Options.Target.Endpoints = Options.Control is { } other ? [Options.Destination!, other] : [Options.Destination!];
        var targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_destination, _control) = (targets[0], targets.Count > 1 ? targets[1] : null);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(() => _facts = EndFacts.Look("--destination", _destination), context.Stop);
        _facts!.RequireAlone();
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        _search = new WriterSearch(_plan, _destination, _control, _facts!, logger);
        if (!_search.Find(context.Stop))
            return;
        _pipeline = new LastingPipeline(
            new FixedPlace("destination", _destination), Options.ReconnectTimeout, _events, context.Stop);
        _keys = new AnnouncedKeys(_search.Announced, _search.Clock, _tally);
        _reader = new PollingReader(_keys, _search.Announced.Session, Options.Prefix, Options, _pipeline, _events);
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
        if (_reader is not null && !context.Stop.IsRequested)
            results.Begin(context, _destination);
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        var announced = _search!.Announced;
        _intervals = new ReadIntervals(_tally, _reader!, announced, _search.Clock, _events, logger);
        _delays = new CorrectedDelays(_search.Clock, _tally);
        _end = new EndWatch(
            _destination, WritingEnd.KeyOf(Options.Prefix, announced.Session), end => _keys!.Limit = end.Asked);
        using var watcher = Watch();
        var reader = new SessionThread("delay-reader", _reader!.Run, () => { });
        results.Measure(context, $"{announced.Source} to {_destination.Name}", _intervals, () =>
        {
            while (!reader.Join(Slice))
            {
                if (context.Stop.IsRequested)
                    _keys!.Stop();
            }
        });
        reader.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Drain(RunContext context)
    {
        results.End();
        if (_intervals is null)
            return;
        if (context.StoppedBy is null && context.Failure is null)
            _end!.Wait(Options.Deadline);
        _search!.Clock.Complete();
        _intervals.Correct(_keys!.Read, _delays!, results.Saved.Log);
    }

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        var keys = Account();
        return results.Report(context, new DelayOutcome
        {
            Keys = keys,
            Series = _intervals.Series,
            Tally = _tally,
            Sent = keys.Asked - keys.Unsent,
            Rate = 1e9 / _search!.Announced.IntervalNs,
            DurationNs = Math.Max(1, _delays!.LastSentNs - _search.Announced.DueOf(_keys!.Late)),
            Targets = [DelayRecord.TargetOf("destination", _destination, _facts!.Server, _pipeline!.Current)],
            Events = _events,
            Faults = [.. DelayVerdict.ClockFaults(), .. DelayVerdict.ReadingFaults(keys), .. PairFaults()],
            Notes =
            [
                .. _keys!.Late > 0
                    ? [$"{Quantity.Count(_keys.Late)} keys were due before the writer was heard of here; they do not count."]
                    : Array.Empty<string>(),
                .. _end!.End is null
                    ? ["The writer did not tell how it ended: keys that it never sent count as missing."]
                    : Array.Empty<string>(),
                .. DelayVerdict.ReadingNotes(keys, _intervals.Uncertainty.Total, null),
            ],
        });
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _end?.Dispose();
        _search?.Dispose();
        _pipeline?.Dispose();
    }

    private EndWatcher? Watch() => Options.WatchInterval > TimeSpan.Zero
        ? new EndWatcher(new FixedPlace("destination", _destination), Options.WatchInterval, _events)
        : null;

    private IEnumerable<string> PairFaults()
    {
        var clock = _search!.Clock;
        if (_delays!.Uncorrected > 0)
            yield return $"Of {Quantity.Count(_delays.Uncorrected)} keys no delay is known: the writer's clock is not.";
        if (clock.Contradicted > 0)
        {
            yield return "Both processes say that they read one clock, and the probes refute it: give --no-claims.";
        }

        if (clock.Contradicting > 0)
        {
            yield return $"{Quantity.Count(clock.Contradicting)} probes contradict the others: a clock that jumps, or stamps "
                + "that no clock gives.";
        }

        if (_delays.NegativesBeyondError > 0)
        {
            yield return $"{Quantity.Count(_delays.NegativesBeyondError)} delays are negative by more than the clocks may be "
                + "off: an assumption does not hold.";
        }
    }

    private DirectWay? Direct()
    {
        var ways = _search!.Clock.DirectWays().ToList();
        var delays = _tally.FromSent.Middle;
        if (ways.Count == 0 || delays.TotalCount == 0)
            return null;
        var mean = ways.Average();
        var least = ways.Min();
        return new DirectWay(ways.Count, mean, least, delays.Mean - mean, delays.Min - least);
    }

    private ReplicationDelay Account()
    {
        var announced = _search!.Announced;
        var asked = Math.Max(0, Math.Min(_keys!.Admitted, _keys.Limit) - _keys.Late);
        // A key that was never sent was looked for in vain, and is none that was lost.
        var unsent = Math.Min(_end!.End?.Unsent ?? 0, _tally.MissingCount);
        var refused = Math.Min(_end.End?.Refused ?? 0, _tally.MissingCount - unsent);
        var missing = _tally.MissingCount - unsent - refused;
        return new ReplicationDelay
        {
            Source = announced.Source,
            Destination = _destination.Name,
            SourceRegion = announced.Region,
            DestinationRegion = Options.Identity.Region,
            Reading = "polling",
            Clocks = _search.Clock.Describe(_delays!.ErrorNs),
            ErrorNs = _delays.ErrorNs,
            DeadlineNs = Options.Deadline.Ticks * TimeSpan.NanosecondsPerTick,
            Asked = asked,
            Unsent = unsent,
            Refused = refused,
            Read = _tally.Read,
            Overwritten = _tally.Overwritten,
            Missing = missing,
            Unread = asked - unsent - refused - _tally.Read - _tally.Overwritten - missing,
            Polls = _reader!.Polls,
            Direct = Direct(),
        };
    }
}
