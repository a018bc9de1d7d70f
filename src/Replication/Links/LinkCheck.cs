using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Links;

/// <summary>Why two servers cannot be measured as source and destination of one replication.</summary>
internal sealed record LinkCheck(NodeFacts Source, NodeFacts Destination)
{
    public static LinkCheck Read(ResolvedTarget source, ResolvedTarget destination) =>
        new(NodeFacts.Read("--source", source), NodeFacts.Read("--destination", destination));

    public static IReadOnlyList<LinkCheck> Read(ResolvedTarget source, IReadOnlyList<ResolvedTarget> destinations)
    {
        var facts = NodeFacts.Read("--source", source);
        return
        [.. destinations.Select(destination => new LinkCheck(facts, NodeFacts.Read("--destination", destination)))];
    }

    public static string LabelOf(IReadOnlyList<LinkCheck> checks, int number) =>
        checks.Count == 1 ? "destination" : $"destination {checks[number].Destination.Target.Name}";

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

    public void Require()
    {
        // Any node stands for its cluster.
        if (Source.IsInCluster)
            return;
        Source.RequireSource();
        if (Source.Server.RunId is { } run && run == Destination.Server.RunId)
        {
            throw new RunRefusedException(
                $"--source {Source.Target.Name} and --destination {Destination.Target.Name} are the same server.");
        }
    }

    /// <summary>That nothing tells whether these are two servers, as a sentence; null where they do.</summary>
    public string? Ambiguity() =>
        Source.IsInCluster || (Source.Server.RunId is not null && Destination.Server.RunId is not null) ? null
        : $"Whether {Source.Target.Name} and {Destination.Target.Name} are two servers is not known: "
            + $"{(Source.Server.RunId is null ? "the source" : "the destination")} does not say by INFO who it is.";

    public string WhyNot() => Destination.WhyNot(Source.Target.Name);
}
