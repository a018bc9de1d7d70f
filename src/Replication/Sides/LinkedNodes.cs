using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class LinkedNodes : IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and no real replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly EmbeddedPair? _pair;
    private readonly bool _isDefault;
    private IReadOnlyList<LinkCheck> _checks = [];
    private ShardWays? _shards;

    public LinkedNodes(DelayPlan plan)
    {
        var source = plan.Options.Source;
        _isDefault = source is null;
        _pair = AreInProcess(source) ? EmbeddedPair.Start(EmbeddedDelay) : null;
        var targets = plan.ResolveTargets(
            _pair is null ? [source!, .. plan.Options.Destinations] : [_pair.Source, _pair.Destination]);
        (Source, Destinations) = (targets[0], [.. targets.Skip(1)]);
    }

    public static bool AreInProcess(string? source) => source is null or EndpointSyntax.InProcess;

    public ResolvedTarget Source { get; }
    public IReadOnlyList<ResolvedTarget> Destinations { get; }

    public ResolvedTarget Destination => Destinations[0];

    public string Title => Destinations.Count == 1
        ? $"{Source.Name} to {Destination.Name}"
        : $"{Source.Name} to {Destinations.Count} destinations";

    public bool IsEmbedded => _pair is not null;

    public IReadOnlyList<KeyWay> Ways { get; private set; } = [];

    public IEnumerable<string> Notes =>
    [
        .. IsEmbedded ? [OnePairOnly] : Array.Empty<string>(),
        .. _shards?.OwnReplicas is { } own
            ? [Destinations.Count == 1 ? DelayVerdict.OneCluster : $"{own.Name}: {DelayVerdict.OneCluster}"]
            : Array.Empty<string>(),
    ];

    public void Introduce(OutputOptions options, StandardOutput output)
    {
        if (!_isDefault || options.Format != OutputFormat.Text)
            return;
        output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
        output.WriteLine("process, joined by a forwarder of its own through a link of "
            + $"{EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
        output.WriteLine("measure a replication.");
        output.WriteLine();
        output.Flush();
    }

    public void Connect(DelayOptions options, SessionEvents events, IStopToken stop)
    {
        InterruptibleStep.Run(() => _checks = LinkCheck.Read(Source, Destinations), stop);
        LinkCheck.Require(_checks);
        if (!_checks.Any(check => check.Source.IsInCluster || check.Destination.IsInCluster))
        {
            Ways = [.. Destinations.Select((_, number) => WayTo(number, options.Prefix))];
            return;
        }

        InterruptibleStep.Run(() => FindShards(options, events), stop);
    }

    public void AwaitFirstKeys(DelayOptions options, IStopToken stop, ILogger logger)
    {
        foreach (var (way, check) in Ways.Zip(_checks))
        {
            if (FirstKey.Send(way, check, options, stop) is not { } took)
                return;
            var delay = Quantity.Duration(took.InNanoseconds);
            ReplicationLog.LinkIsThere(logger, check.Destination.Target.Name, check.Source.Target.Name, delay);
        }
    }

    public IReadOnlyList<MeasuredTarget> Targets(Func<int, RedisPipeline> written, Func<int, RedisPipeline> read) =>
    [
        .. NodeFacts.ToRecord(
            [.. _checks.Select(check => check.Source)], [.. Ways.Select(way => way.Source)], written),
        .. NodeFacts.ToRecord(
            [.. _checks.Select(check => check.Destination)], [.. Ways.Select(way => way.Destination)], read),
    ];

    public void Dispose()
    {
        _shards?.Dispose();
        _pair?.Dispose();
    }

    private KeyWay WayTo(int number, string prefix) => new(
        null, prefix, new FixedPlace("source", Source),
        new FixedPlace("destination", Destinations[number], LinkCheck.LabelOf(_checks, number)))
    {
        DestinationNumber = number,
    };

    private void FindShards(DelayOptions options, SessionEvents events)
    {
        _shards = new ShardWays(_checks, options, events);
        Ways = _shards.Ways;
        _checks = [.. Ways.Select(way => LinkCheck.Read(way.Source.Require(), way.Destination.Require()))];
    }
}
