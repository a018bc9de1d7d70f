using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// The ends of a replication that this one process reaches, one source and its destinations, and the ways of keys
/// between them.
/// </summary>
internal sealed class LinkedEnds : IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and nobody's replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly EmbeddedPair? _pair;
    private readonly bool _isDefault;
    private IReadOnlyList<LinkCheck> _checks = [];
    private ShardWays? _shards;

    /// <summary>Settles where they are; nothing is connected yet.</summary>
    /// <param name="source">Where to write; null, with the other, for a pair in this process.</param>
    /// <param name="destinations">Where to read; none for a pair in this process.</param>
    /// <param name="target">How all are reached; gets their endpoints.</param>
    /// <param name="environment">The environment variables.</param>
    public LinkedEnds(
        string? source, IReadOnlyList<string> destinations, TargetOptions target,
        IReadOnlyDictionary<string, string> environment)
    {
        _isDefault = source is null;
        _pair = AreInProcess(source) ? EmbeddedPair.Start(EmbeddedDelay) : null;
        target.Endpoints = _pair is null ? [source!, .. destinations] : [_pair.Source, _pair.Destination];
        var targets = TargetResolution.Resolve(target, environment, PasswordPrompt.Ask);
        (Source, Destinations) = (targets[0], [.. targets.Skip(1)]);
    }

    /// <summary>Whether a source asks for the pair in this process, or nobody gave one.</summary>
    public static bool AreInProcess(string? source) => source is null or EndpointSyntax.InProcess;

    /// <summary>Where keys are written, as it was given.</summary>
    public ResolvedTarget Source { get; }

    /// <summary>Where they are read.</summary>
    public IReadOnlyList<ResolvedTarget> Destinations { get; }

    /// <summary>The same where there is one only; else the first.</summary>
    public ResolvedTarget Destination => Destinations[0];

    /// <summary>From where to where, for people.</summary>
    public string Title => Destinations.Count == 1
        ? $"{Source.Name} to {Destination.Name}"
        : $"{Source.Name} to {Destinations.Count} destinations";

    /// <summary>How many destinations there are, where all say that they are replicas of one server; else 1.</summary>
    public int Replicas =>
        _shards is null && _checks.All(check => check.Destination.IsReplica) ? Destinations.Count : 1;

    /// <summary>Whether both are in this process.</summary>
    public bool IsEmbedded => _pair is not null;

    /// <summary>The ways of keys, once they are found.</summary>
    public IReadOnlyList<KeyWay> Ways { get; private set; } = [];

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes =>
    [
        .. IsEmbedded ? [OnePairOnly] : Array.Empty<string>(),
        .. _shards?.OwnReplicas is { } own
            ? [Destinations.Count == 1 ? DelayVerdict.OneCluster : $"{own.Name}: {DelayVerdict.OneCluster}"]
            : Array.Empty<string>(),
    ];

    /// <summary>Says, to people, that both ends are in this process, where they did not ask for that.</summary>
    public void Introduce(OutputOptions options, StandardOutput output)
    {
        if (!_isDefault || options.Format != OutputFormat.Text)
            return;
        output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
        output.WriteLine($"process, joined by a forwarder of its own through a link of {EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
        output.WriteLine("measure a replication.");
        output.WriteLine();
        output.Flush();
    }

    /// <summary>Looks at all, and finds the ways between them.</summary>
    /// <param name="options">What they are looked at with.</param>
    /// <param name="events">Where to tell of changes.</param>
    /// <param name="stop">Ends the looking.</param>
    /// <param name="clusterFound">Is called before the shards of a cluster are looked for; may refuse it.</param>
    /// <returns>Whether an end is a cluster.</returns>
    /// <exception cref="Hosting.Running.RunRefusedException">A role is wrong, or a cluster is not whole.</exception>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public bool Connect(ILinkOptions options, SessionEvents events, IStopToken stop, Action? clusterFound = null)
    {
        InterruptibleStep.Run(() => _checks = LinkCheck.Look(Source, Destinations), stop);
        LinkCheck.Require(_checks);
        if (!_checks.Any(check => check.Source.IsInCluster || check.Destination.IsInCluster))
        {
            Ways = [.. Destinations.Select((_, number) => WayTo(number, options.Prefix))];
            return false;
        }

        clusterFound?.Invoke();
        InterruptibleStep.Run(() => FindShards(options, events), stop);
        return true;
    }

    /// <summary>Sends a first key each way, and waits until it is there or the run shall end.</summary>
    /// <exception cref="Hosting.Running.RunRefusedException">One did not come.</exception>
    public void AwaitFirstKeys(ILinkOptions options, IStopToken stop, ILogger logger)
    {
        foreach (var (way, check) in Ways.Zip(_checks))
        {
            if (FirstKey.Send(way, check, options, stop) is not { } took)
                return;
            var delay = Quantity.Duration(took.Ticks * TimeSpan.NanosecondsPerTick);
            ReplicationLog.LinkIsThere(logger, check.Destination.Target.Name, check.Source.Target.Name, delay);
        }
    }

    /// <summary>The servers as they were when it began; events tell what changed.</summary>
    /// <param name="written">The connection to the source of a way.</param>
    /// <param name="read">The connection to its destination.</param>
    public IReadOnlyList<MeasuredTarget> Targets(Func<int, RedisPipeline> written, Func<int, RedisPipeline> read) =>
    [
        .. _checks.Select((check, way) => DelayRecord.TargetOf(
            Ways[way].Source.Label, check.Source.Target, check.Source.Server, written(way)))
            .DistinctBy(target => target.Endpoint),
        .. _checks.Select((check, way) => DelayRecord.TargetOf(
            Ways[way].Destination.Label, check.Destination.Target, check.Destination.Server, read(way)))
            .DistinctBy(target => target.Endpoint),
    ];

    /// <inheritdoc/>
    public void Dispose()
    {
        _shards?.Dispose();
        _pair?.Dispose();
    }

    private KeyWay WayTo(int number, string prefix) =>
        KeyWay.Between(Source, Destinations[number], prefix, LinkCheck.LabelOf(_checks, number)) with
        {
            DestinationNumber = number,
        };

    private void FindShards(ILinkOptions options, SessionEvents events)
    {
        _shards = ShardWays.Find(_checks, options, events);
        Ways = _shards.Ways;
        _checks = [.. Ways.Select(way => LinkCheck.Look(way.Source.Require(), way.Destination.Require()))];
    }
}
