using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Replication.Delay.Destinations;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading.Pushes;
using RedisLatency.Replication.Delay.Reporting;
using RedisLatency.Replication.Delay.Shards;

namespace RedisLatency.Replication.Delay;

/// <summary>What <c>delay run</c> does in each phase.</summary>
internal sealed class DelayRun(
    CommandRun<DelayOptions> command,
    StandardOutput output,
    DelayResults results,
    ILogger<DelayRun> logger) : IMeasuredRun, IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and nobody's replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly DelayPlan _plan = new(command.Options.Values);
    private readonly List<IDisposable> _owned = [];
    private ResolvedTarget _source = null!;
    private IReadOnlyList<ResolvedTarget> _targets = [];
    private readonly SessionEvents _events = new();
    private DestinationChoice _choice = null!;
    private IReadOnlyList<LinkCheck> _checks = [];
    private IReadOnlyList<KeyWay> _ways = [];
    private ShardWays? _shards;
    private KeySession? _session;
    private LinkWatch? _watch;
    private DelayIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

    private string Title => _targets.Count == 1
        ? $"{_source.Name} to {_targets[0].Name}"
        : $"{_source.Name} to {_targets.Count} destinations";

    // A replica of another is not told from one of the source: WAIT would wait for it in vain, and says so.
    private int Replicas => _shards is null && _checks.All(check => check.Destination.IsReplica) ? _targets.Count : 1;

    /// <inheritdoc/>
    public void Resolve(RunContext context)
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        var pair = Options.Source is null ? StartPair() : null;
        if (pair is not null)
        {
            // Nobody acknowledges there: the forwarder is no replica.
            Options.WaitInterval = TimeSpan.Zero;
            command.Options.Resolve("--wait-interval", "0s");
        }

        Options.Target.Endpoints = pair is null
            ? [Options.Source!, .. Options.Destinations]
            : [pair.Source, pair.Destination];
        var targets = TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _targets) = (targets[0], [.. targets.Skip(1)]);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        InterruptibleStep.Run(() => _checks = LinkCheck.Look(_source, _targets), context.Stop);
        LinkCheck.Require(_checks);
        if (_checks.Any(check => check.Source.IsInCluster || check.Destination.IsInCluster))
        {
            PushChoice.RequireKeys(Options.Reading);
            InterruptibleStep.Run(FindShards, context.Stop);
        }
        else
        {
            _ways = [.. _targets.Select((target, number) => WayTo(target, number))];
        }

        InterruptibleStep.Run(() => _choice = DestinationChoice.Decide(_targets, _ways, Options), context.Stop);
    }

    /// <inheritdoc/>
    public void Calibrate(RunContext context)
    {
    }

    /// <inheritdoc/>
    public void Rendezvous(RunContext context)
    {
        foreach (var (way, check) in _ways.Zip(_checks))
        {
            if (FirstKey.Send(way, check, Options, context.Stop) is not { } took)
                return;
            var delay = Quantity.Duration(took.Ticks * TimeSpan.NanosecondsPerTick);
            ReplicationLog.LinkIsThere(logger, check.Destination.Target.Name, check.Source.Target.Name, delay);
        }
    }

    /// <inheritdoc/>
    public void WarmUp(RunContext context)
    {
        if (_plan.WarmUpKeys > 0)
        {
            ReplicationLog.WarmingUp(logger);
            using var warmUp = SessionOf(_plan.WarmUpKeys, context.Stop);
            warmUp.Run();
        }

        if (context.Stop.IsRequested)
            return;
        results.Begin(context, [_source, .. _targets]);
        _session = Own(SessionOf(_plan.Keys, context.Stop));
        _watch = Own(new LinkWatch(_ways, Options, _session.Writing.Id, _events, Replicas));
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _intervals = new DelayIntervals(_session!, _watch!, _plan, logger);
        results.Measure(context, Title, _intervals, () =>
        {
            try
            {
                _session!.Run();
            }
            finally
            {
                _watch!.Dispose();
            }
        });
    }

    /// <inheritdoc/>
    // Measuring ends when every key is accounted for.
    public void Drain(RunContext context) => results.End();

    /// <inheritdoc/>
    public int Report(RunContext context)
    {
        if (_intervals is null)
            return results.ReportNothing(context);
        if (Options.EachKey)
            KeyTrace.Write(results.Saved.CreateLines(KeyTrace.FileName), _session!);
        return results.Report(context, Outcome(context));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        for (var i = _owned.Count - 1; i >= 0; i--)
            _owned[i].Dispose();
    }

    private DelayOutcome Outcome(RunContext context)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var writing = _session!.Writing;
        var account = new KeyAccount(_session, _watch!, Options, _source);
        var reading = new ReadingVerdict(_session, account);
        return new DelayOutcome
        {
            Keys = account.Whole(),
            Destinations = account.Destinations(),
            Shards = account.Shards(),
            Series = _intervals!.Series,
            Tally = _session.Tally,
            Sent = writing.Sent,
            Rate = Options.Rate,
            DurationNs = writing.WritingNs,
            Targets = [.. Targets()],
            Events = _events,
            Faults =
            [
                .. DelayVerdict.ClockFaults(), .. reading.Faults,
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, _plan, isWhole),
            ],
            Notes =
            [
                .. Options.Source is null ? [OnePairOnly] : Array.Empty<string>(), .. _choice.Notes, .. reading.Notes,
                .. DelayVerdict.WritingNotes(writing), .. _watch!.Notes, .. ClusterNotes(),
            ],
        };
    }

    private KeySession SessionOf(long keys, IStopToken stop) =>
        new(_plan, _choice.Destinations, keys, _ways, _events, stop);

    private KeyWay WayTo(ResolvedTarget target, int number) =>
        KeyWay.Between(_source, target, Options.Prefix, LinkCheck.LabelOf(_checks, number)) with { DestinationNumber = number };

    private IEnumerable<string> ClusterNotes()
    {
        if (_shards?.OwnReplicas is { } own)
        {
            yield return _targets.Count == 1 ? DelayVerdict.OneCluster : $"{own.Name}: {DelayVerdict.OneCluster}";
        }
    }

    private void FindShards()
    {
        _shards = Own(ShardWays.Find(_checks, Options, _events));
        _ways = _shards.Ways;
        _checks = [.. _ways.Select(way => LinkCheck.Look(way.Source.Require(), way.Destination.Require()))];
    }

    // As they were when it began; events tell what changed.
    private IEnumerable<MeasuredTarget> Targets()
    {
        var ends = _ways.Zip(_checks, _session!.Readings).ToList();
        return
        [
            .. ends.Select(end => DelayRecord.TargetOf(
                    end.First.Source.Label, end.Second.Source.Target, end.Second.Source.Server,
                    _session.Writing.PipelineTo(end.First.Stream)))
                .DistinctBy(target => target.Endpoint),
            .. ends.Select(end => DelayRecord.TargetOf(
                    end.First.Destination.Label, end.Second.Destination.Target, end.Second.Destination.Server,
                    end.Third.Destination.Current))
                .DistinctBy(target => target.Endpoint),
        ];
    }

    private EmbeddedPair StartPair()
    {
        var pair = Own(EmbeddedPair.Start(EmbeddedDelay));
        if (Options.Output.Format == OutputFormat.Text && !Options.Output.Quiet)
        {
            output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
            output.WriteLine($"process, joined by a forwarder of its own through a link of {EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
            output.WriteLine("measure a replication.");
            output.WriteLine();
            output.Flush();
        }

        return pair;
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
