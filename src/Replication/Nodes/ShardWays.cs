using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>The ways of keys to or from a cluster: one for each pair of shards that share slots.</summary>
internal sealed class ShardWays : IDisposable
{
    private readonly List<ReachedNodes> _reached = [];

    public ShardWays(IReadOnlyList<LinkCheck> checks, DelayOptions options, SessionEvents events)
    {
        try
        {
            var source = Open("source", checks[0].Source, options.Prefix, events);
            List<ReachedNodes> destinations =
                [.. checks.Select(check => Open("destination", check.Destination, options.Prefix, events))];
            var own = destinations.FindIndex(destination => source.IsCluster(destination));
            OwnReplicas = own < 0 ? null : checks[own].Destination.Target;
            RequireDifferent(source, destinations, checks);
            var shared = SharedSlots.Of(source.Map, destinations[0].Map);
            RequireAlike(shared, source, destinations, checks);
            Ways =
            [
                .. destinations.SelectMany((destination, number) => shared.Select((slots, stream) =>
                    source.WayTo(
                        destination, slots, options, LinkCheck.LabelOf(checks, number), reportsSource: number == 0) with
                    {
                        Stream = stream,
                        DestinationNumber = number,
                    })),
            ];
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public IReadOnlyList<KeyWay> Ways { get; }

    // The destination that is the source's own cluster, written to at its primaries and read from its replicas; null
    // where there is none.
    public ResolvedTarget? OwnReplicas { get; }

    public void Dispose() => _reached.ForEach(reached => reached.Dispose());

    private static void RequireDifferent(
        ReachedNodes source, List<ReachedNodes> destinations, IReadOnlyList<LinkCheck> checks)
    {
        for (var i = 0; i < destinations.Count; i++)
        {
            var j = destinations.FindIndex(i + 1, other => other.IsCluster(destinations[i]));
            if (j < 0)
                continue;
            var both = $"--destination {checks[i].Destination.Target.Name} and --destination "
                + $"{checks[j].Destination.Target.Name} are one cluster";
            throw new RunRefusedException(source.IsCluster(destinations[i])
                ? $"{both}, the source's own: which replica of a shard belongs to which is not known. Give one of them."
                : $"{both}.");
        }
    }

    // Every destination reads the same keys.
    private static void RequireAlike(
        IReadOnlyList<SharedSlots> shared, ReachedNodes source, List<ReachedNodes> destinations,
        IReadOnlyList<LinkCheck> checks)
    {
        var other = destinations.FindIndex(destination =>
            !SharedSlots.Of(source.Map, destination.Map).Select(RangesOf).SequenceEqual(shared.Select(RangesOf)));
        if (other < 0)
            return;
        throw new RunRefusedException(
            $"--destination {checks[other].Destination.Target.Name} shares out its slots otherwise than --destination "
            + $"{checks[0].Destination.Target.Name}. Run once to each of them, and print both with matrix.");

        static string RangesOf(SharedSlots slots) => string.Join('+', slots.Ranges);
    }

    private ReachedNodes Open(string role, NodeFacts facts, string prefix, SessionEvents events)
    {
        var reached = ReachedNodes.Open(role, facts, prefix, events);
        _reached.Add(reached);
        return reached;
    }
}
