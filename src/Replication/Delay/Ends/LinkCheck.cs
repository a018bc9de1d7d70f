using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Preflight;

namespace RedisLatency.Replication.Delay.Ends;

/// <summary>What both ends say of themselves, and whether one can be the source of the other.</summary>
internal sealed class LinkCheck(ResolvedTarget source, ServerFacts sourceFacts, ResolvedTarget destination, ServerFacts destinationFacts)
{
    private const string Replica = "slave";

    /// <summary>What the source says of itself.</summary>
    public ServerFacts Source => sourceFacts;

    /// <summary>What the destination says of itself.</summary>
    public ServerFacts Destination => destinationFacts;

    /// <summary>Asks both ends.</summary>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public static LinkCheck Look(ResolvedTarget source, ResolvedTarget destination)
    {
        using var there = source.OpenControl();
        using var here = destination.OpenControl();
        return new LinkCheck(source, ServerFacts.Read(there), destination, ServerFacts.Read(here));
    }

    /// <summary>Refuses what cannot be, as far as the ends tell.</summary>
    /// <exception cref="RunRefusedException">A role is wrong.</exception>
    public void Require()
    {
        if (sourceFacts.Role == Replica)
        {
            throw new RunRefusedException(
                $"--source {source.Name} is a replica of {PrimaryOf(sourceFacts)}: what is written to it is replicated "
                + "nowhere. Give the primary.");
        }

        if (sourceFacts.RunId is { } run && run == destinationFacts.RunId)
        {
            throw new RunRefusedException(
                $"--source {source.Name} and --destination {destination.Name} are the same server.");
        }

        if (sourceFacts.Mode == "cluster" || destinationFacts.Mode == "cluster")
        {
            throw new RunRefusedException(
                "One of the ends is a node of a cluster: it takes keys of its own slots only, so this cannot measure it.");
        }
    }

    /// <summary>Why a key may not come, after it did not.</summary>
    public string WhyNot()
    {
        if (destinationFacts.UnavailableBecause is { } unknown)
            return $"{destination.Name} does not tell its role: {unknown}";
        if (destinationFacts.Role != Replica)
        {
            return $"{destination.Name} is a primary of its own; nothing that forwards to it took what "
                + $"{source.Name} was given.";
        }

        var primary = PrimaryOf(destinationFacts);
        return destinationFacts.Fields.GetValueOrDefault("master_link_status") == "up"
            ? $"{destination.Name} is a replica of {primary}: is that {source.Name}?"
            : $"{destination.Name} is a replica of {primary}, but its link is down.";
    }

    private static string PrimaryOf(ServerFacts facts) =>
        $"{facts.Fields.GetValueOrDefault("master_host")}:{facts.Fields.GetValueOrDefault("master_port")}";
}
