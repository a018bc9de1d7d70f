using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Links;

/// <summary>Pairs the shards of a source with the servers of a destination that have the same slots.</summary>
internal sealed class LinkedNodes : IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and no real replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly EmbeddedPair? _pair;
    private readonly bool _isDefault;
    private IReadOnlyList<LinkCheck> _checks = [];
    private IReadOnlyList<ReachedNodes> _reached = [];

    // The destination that is the source's own cluster, written to at its primaries and read from its replicas.
    private ResolvedTarget? _ownReplicas;

    public LinkedNodes(DelayPlan plan)
    {
        var source = plan.Options.Source;
        _isDefault = source is null;
        _pair = AreInProcess(source) ? EmbeddedPair.Start(EmbeddedDelay) : null;
        var targets = plan.ResolveTargets(
            _pair is null ? [source!, .. plan.Options.Destinations] : [_pair.Source, _pair.Destination]);
        (Source, Destinations) = (targets[0], [.. targets.Skip(1)]);
    }

    public static bool AreInProcess(string? source) => source is null or TargetOptions.InProcess;

    public ResolvedTarget Source { get; }
    public IReadOnlyList<ResolvedTarget> Destinations { get; }

    public ResolvedTarget Destination => Destinations[0];

    public string Title => Destinations.Count == 1
        ? $"{Source.Name} to {Destination.Name}"
        : $"{Source.Name} to {Destinations.Count} destinations";

    public bool IsEmbedded => _pair is not null;

    public IReadOnlyList<KeyRoute> Routes { get; private set; } = [];

    public IEnumerable<string> Notes =>
    [
        .. IsEmbedded ? [OnePairOnly] : _checks.Select(check => check.Ambiguity()).OfType<string>().Distinct(),
        .. _ownReplicas is { } own
            ? [Destinations.Count == 1 ? DelayVerdict.OneCluster : $"{own.Name}: {DelayVerdict.OneCluster}"]
            : Array.Empty<string>(),
    ];

    public void Connect(DelayOptions options, SessionEvents events, IStopToken stop, ILogger logger)
    {
        if (_isDefault)
            ReplicationLog.NoServers(logger, EmbeddedDelay.TotalMilliseconds);
        InterruptibleStep.Run(() => _checks = LinkCheck.Read(Source, Destinations), stop);
        LinkCheck.Require(_checks);
        if (!_checks.Any(check => check.Source.IsInCluster || check.Destination.IsInCluster))
        {
            Routes = [.. Destinations.Select((_, number) => RouteTo(number, options.Prefix))];
            return;
        }

        InterruptibleStep.Run(() => FindShards(options, events), stop);
    }

    public void AwaitFirstKeys(DelayOptions options, IStopToken stop, ILogger logger)
    {
        foreach (var (route, check) in Routes.Zip(_checks))
        {
            if (FirstKey.Send(route, check, options, stop) is not { } took)
                return;
            var delay = Quantity.Duration(took.InNanoseconds);
            ReplicationLog.LinkIsThere(logger, check.Destination.Target.Name, check.Source.Target.Name, delay);
        }
    }

    public IReadOnlyList<MeasuredTarget> Targets(Func<int, RedisPipeline> written, Func<int, RedisPipeline> read) =>
    [
        .. NodeFacts.ToRecord(
            [.. _checks.Select(check => check.Source)], [.. Routes.Select(route => route.Source)], written),
        .. NodeFacts.ToRecord(
            [.. _checks.Select(check => check.Destination)], [.. Routes.Select(route => route.Destination)], read),
    ];

    public void Dispose()
    {
        foreach (var reached in _reached)
            reached.Dispose();
        _pair?.Dispose();
    }

    private KeyRoute RouteTo(int number, string prefix) => new(
        null, prefix, new FixedServer("source", Source),
        new FixedServer("destination", Destinations[number], LinkCheck.LabelOf(_checks, number)))
    {
        DestinationNumber = number,
    };

    // To or from a cluster: a route for each pair of shards that share slots.
    private void FindShards(DelayOptions options, SessionEvents events)
    {
        var source = Open("source", _checks[0].Source, options.Prefix, events);
        List<ReachedNodes> destinations =
            [.. _checks.Select(check => Open("destination", check.Destination, options.Prefix, events))];
        var own = destinations.FindIndex(destination => source.IsCluster(destination));
        _ownReplicas = own < 0 ? null : _checks[own].Destination.Target;
        RequireDifferent(source, destinations);
        var shared = SharedSlots.Of(source.Map, destinations[0].Map);
        RequireAlike(shared, source, destinations);
        Routes =
        [
            .. destinations.SelectMany((destination, number) => shared.Select((slots, stream) => source.WayTo(
                destination, slots, options.Prefix, options.LinkTimeout, LinkCheck.LabelOf(_checks, number),
                reportsSource: number == 0) with
                {
                    Stream = stream,
                    DestinationNumber = number,
                })),
        ];
        _checks = [.. Routes.Select(route => LinkCheck.Read(route.Source.Require(), route.Destination.Require()))];
    }

    private ReachedNodes Open(string role, NodeFacts facts, string prefix, SessionEvents events)
    {
        var reached = ReachedNodes.Open(role, facts, prefix, events);
        // Who was stopped meanwhile goes through what was there.
        _reached = [.. _reached, reached];
        return reached;
    }

    private void RequireDifferent(ReachedNodes source, List<ReachedNodes> destinations)
    {
        for (var i = 0; i < destinations.Count; i++)
        {
            var j = destinations.FindIndex(i + 1, other => other.IsCluster(destinations[i]));
            if (j < 0)
                continue;
            var both = $"--destination {NameOf(i)} and --destination {NameOf(j)} are one cluster";
            throw new RunRefusedException(source.IsCluster(destinations[i])
                ? $"{both}, the source's own: which replica of a shard belongs to which is not known. Give one of them."
                : $"{both}.");
        }
    }

    // Every destination reads the same keys.
    private void RequireAlike(
        IReadOnlyList<SharedSlots> shared, ReachedNodes source, List<ReachedNodes> destinations)
    {
        var other = destinations.FindIndex(destination =>
            !SharedSlots.Of(source.Map, destination.Map).Select(RangesOf).SequenceEqual(shared.Select(RangesOf)));
        if (other < 0)
            return;
        throw new RunRefusedException(
            $"--destination {NameOf(other)} shares out its slots otherwise than --destination {NameOf(0)}. Run once to "
            + "each of them, and print both with matrix.");

        static string RangesOf(SharedSlots slots) => string.Join('+', slots.Ranges);
    }

    private string NameOf(int destination) => Destinations[destination].Name;
}
