using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Embedded;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reporting;
using RedisLatency.Replication.Delay.Shards;

namespace RedisLatency.Replication.Delay;

/// <summary>The two ends of a replication that this one process reaches, and the ways of keys between them.</summary>
internal sealed class LinkedEnds : IDisposable
{
    private const string OnePairOnly = "No endpoint was given: two servers in this process, and nobody's replication.";

    private static readonly TimeSpan EmbeddedDelay = TimeSpan.FromMilliseconds(5);

    private readonly EmbeddedPair? _pair;
    private IReadOnlyList<LinkCheck> _checks = [];
    private ShardWays? _shards;

    /// <summary>Settles where they are; nothing is connected yet.</summary>
    /// <param name="source">Where to write; null, with the other, for a pair in this process.</param>
    /// <param name="destination">Where to read.</param>
    /// <param name="target">How both are reached; gets their endpoints.</param>
    /// <param name="environment">The environment variables.</param>
    public LinkedEnds(
        string? source, string? destination, TargetOptions target, IReadOnlyDictionary<string, string> environment)
    {
        _pair = source is null ? EmbeddedPair.Start(EmbeddedDelay) : null;
        target.Endpoints = [source ?? _pair!.Source, destination ?? _pair!.Destination];
        var targets = TargetResolution.Resolve(target, environment, PasswordPrompt.Ask);
        (Source, Destination) = (targets[0], targets[1]);
    }

    /// <summary>Where keys are written, as it was given.</summary>
    public ResolvedTarget Source { get; }

    /// <summary>Where they are read.</summary>
    public ResolvedTarget Destination { get; }

    /// <summary>Whether both are in this process.</summary>
    public bool IsEmbedded => _pair is not null;

    /// <summary>The ways of keys, once they are found.</summary>
    public IReadOnlyList<KeyWay> Ways { get; private set; } = [];

    /// <summary>What to keep in mind.</summary>
    public IEnumerable<string> Notes =>
    [
        .. IsEmbedded ? [OnePairOnly] : Array.Empty<string>(),
        .. _shards is { IsOneCluster: true } ? [DelayVerdict.OneCluster] : Array.Empty<string>(),
    ];

    /// <summary>Says, to people, that both ends are in this process.</summary>
    public void Introduce(OutputOptions options, StandardOutput output)
    {
        if (!IsEmbedded || options.Format != OutputFormat.Text || options.Quiet)
            return;
        output.WriteLine("No --source and --destination given: trying this out on two servers inside this");
        output.WriteLine($"process, joined by a forwarder of its own through a link of {EmbeddedDelay.TotalMilliseconds:0} ms. Give both to");
        output.WriteLine("measure a replication.");
        output.WriteLine();
        output.Flush();
    }

    /// <summary>Looks at both, and finds the ways between them.</summary>
    /// <param name="options">What they are looked at with.</param>
    /// <param name="events">Where to tell of changes.</param>
    /// <param name="stop">Ends the looking.</param>
    /// <param name="clusterFound">Is called before the shards of a cluster are looked for; may refuse it.</param>
    /// <returns>Whether an end is a cluster.</returns>
    /// <exception cref="Hosting.Running.RunRefusedException">A role is wrong, or a cluster is not whole.</exception>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public bool Connect(ILinkOptions options, SessionEvents events, IStopToken stop, Action? clusterFound = null)
    {
        LinkCheck check = null!;
        InterruptibleStep.Run(() => check = LinkCheck.Look(Source, Destination), stop);
        check.Require();
        if (!check.Source.IsInCluster && !check.Destination.IsInCluster)
        {
            (_checks, Ways) = ([check], [KeyWay.Between(Source, Destination, options.Prefix)]);
            return false;
        }

        clusterFound?.Invoke();
        InterruptibleStep.Run(() => FindShards(check, options, events), stop);
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

    private void FindShards(LinkCheck check, ILinkOptions options, SessionEvents events)
    {
        _shards = ShardWays.Find(check, options, events);
        Ways = _shards.Ways;
        _checks = [.. Ways.Select(way => LinkCheck.Look(way.Source.Require(), way.Destination.Require()))];
    }
}
