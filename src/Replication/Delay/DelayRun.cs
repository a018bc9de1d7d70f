using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Ends.Watching;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
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
    private ResolvedTarget _destination = null!;
    private readonly SessionEvents _events = new();
    private IReadOnlyList<LinkCheck> _checks = [];
    private IReadOnlyList<KeyWay> _ways = [];
    private ShardWays? _shards;
    private KeySession? _session;
    private ReadingKind _reading;
    private LinkWatch? _watch;
    private DelayIntervals? _intervals;

    private DelayOptions Options => _plan.Options;

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

        Options.Target.Endpoints = [Options.Source ?? pair!.Source, Options.Destination ?? pair!.Destination];
        var targets = TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _destination) = (targets[0], targets[1]);
    }

    /// <inheritdoc/>
    public void Connect(RunContext context)
    {
        LinkCheck check = null!;
        InterruptibleStep.Run(() => check = LinkCheck.Look(_source, _destination), context.Stop);
        check.Require();
        if (check.Source.IsInCluster || check.Destination.IsInCluster)
        {
            PushChoice.RequireKeys(Options.Reading);
            InterruptibleStep.Run(() => FindShards(check), context.Stop);
            return;
        }

        (_checks, _ways) = ([check], [KeyWay.Between(_source, _destination, Options.Prefix)]);
        InterruptibleStep.Run(
            () => _reading = PushChoice.Decide(Options.Reading, _destination, Options.Prefix), context.Stop);
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
            using var warmUp = new KeySession(
                _plan, _reading, _plan.WarmUpKeys, _ways, _events, context.Stop);
            warmUp.Run();
        }

        if (context.Stop.IsRequested)
            return;
        results.Begin(context, _source, _destination);
        _session = Own(new KeySession(_plan, _reading, _plan.Keys, _ways, _events, context.Stop));
        _watch = Own(new LinkWatch(_ways, Options, _session.Writing.Id, _events));
    }

    /// <inheritdoc/>
    public void Measure(RunContext context)
    {
        _intervals = new DelayIntervals(_session!, _watch!, _plan, logger);
        results.Measure(context, $"{_source.Name} to {_destination.Name}", _intervals, () =>
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
        if (_session!.Trace is { } trace)
            trace.WriteTo(results.Saved.CreateLines(KeyTrace.FileName), _session.Writing);
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
        var account = new KeyAccount(_session, _watch!, _reading, Options);
        var missingAtSource = account.MissingAtSource();
        var keys = account.Whole(_source, _destination) with { MissingAtSource = missingAtSource ?? 0 };
        return new DelayOutcome
        {
            Keys = keys,
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
                .. DelayVerdict.ClockFaults(), .. DelayVerdict.ReadingFaults(keys),
                .. DelayVerdict.WritingFaults(writing, _intervals.Lateness.Total, _plan, isWhole),
            ],
            Notes =
            [
                .. Options.Source is null ? [OnePairOnly] : Array.Empty<string>(),
                .. DelayVerdict.ReadingNotes(keys, _intervals.Uncertainty.Total, missingAtSource),
                .. DelayVerdict.PushNotes(_session.Readings.Sum(one => one.Reader.Unpushed)),
                .. DelayVerdict.WritingNotes(writing), .. _watch!.Notes,
                .. _shards is { IsOneCluster: true } ? [DelayVerdict.OneCluster] : Array.Empty<string>(),
            ],
        };
    }

    private void FindShards(LinkCheck check)
    {
        _shards = Own(ShardWays.Find(check, Options, _events));
        _ways = _shards.Ways;
        _checks = [.. _ways.Select(way => LinkCheck.Look(way.Source.Require(), way.Destination.Require()))];
        _reading = PushChoice.Decide(
            Options.Reading, [.. _ways.Select(way => way.Destination.Require())], Options.Prefix);
    }

    // As they were when it began; events tell what changed.
    private IEnumerable<MeasuredTarget> Targets() =>
    [
        .. _checks.Select((check, way) => DelayRecord.TargetOf(
            _ways[way].Source.Label, check.Source.Target, check.Source.Server, _session!.Writing.PipelineTo(way))).DistinctBy(target => target.Endpoint),
        .. _checks.Select((check, way) => DelayRecord.TargetOf(
            _ways[way].Destination.Label, check.Destination.Target, check.Destination.Server, _session!.Readings[way].Destination.Current))
            .DistinctBy(target => target.Endpoint),
    ];

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
