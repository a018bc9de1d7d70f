using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Nodes;

/// <summary>What both ends say of themselves, and whether one can be the source of the other.</summary>
internal sealed class LinkCheck(EndFacts source, EndFacts destination)
{
    /// <summary>What the source says of itself.</summary>
    public EndFacts Source => source;

    /// <summary>What the destination says of itself.</summary>
    public EndFacts Destination => destination;

    /// <summary>Asks both ends.</summary>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public static LinkCheck Look(ResolvedTarget source, ResolvedTarget destination) =>
        new(EndFacts.Look("--source", source), EndFacts.Look("--destination", destination));

    /// <summary>Asks one source and every destination.</summary>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public static IReadOnlyList<LinkCheck> Look(ResolvedTarget source, IReadOnlyList<ResolvedTarget> destinations)
    {
        var facts = EndFacts.Look("--source", source);
        return [.. destinations.Select(destination => new LinkCheck(facts, EndFacts.Look("--destination", destination)))];
    }

    /// <summary>What a destination is called among all; the role alone says it of the only one.</summary>
    public static string LabelOf(IReadOnlyList<LinkCheck> checks, int number) =>
        checks.Count == 1 ? "destination" : $"destination {checks[number].Destination.Target.Name}";

    /// <summary>Refuses what cannot be of one source and several destinations.</summary>
    /// <exception cref="RunRefusedException">A role is wrong, or two of the servers are one.</exception>
    public static void Require(IReadOnlyList<LinkCheck> checks)
    {
        foreach (var check in checks)
            check.Require();
        var known = new Dictionary<string, ResolvedTarget>(StringComparer.Ordinal);
        foreach (var destination in checks.Select(check => check.Destination))
        {
            if (destination.Server.RunId is not { } run || known.TryAdd(run, destination.Target))
                continue;
            throw new RunRefusedException(
                $"--destination {known[run].Name} and --destination {destination.Target.Name} are the same server.");
        }
    }

    /// <summary>Refuses what cannot be, as far as the ends tell.</summary>
    /// <exception cref="RunRefusedException">A role is wrong.</exception>
    public void Require()
    {
        // Any node stands for its cluster.
        if (source.IsInCluster)
            return;
        source.RequireSource();
        if (source.Server.RunId is { } run && run == destination.Server.RunId)
        {
            throw new RunRefusedException(
                $"--source {source.Target.Name} and --destination {destination.Target.Name} are the same server.");
        }
    }

    /// <summary>Why a key may not come, after it did not.</summary>
    public string WhyNot() => destination.WhyNot(source.Target.Name);
}
