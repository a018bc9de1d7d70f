using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Delay.Ends;

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
