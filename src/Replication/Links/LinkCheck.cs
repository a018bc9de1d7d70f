using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Links;

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

    public string WhyNot() => Destination.WhyNot(Source.Target.Name);
}
