using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Replication.Nodes;

/// <summary>What one end says of itself.</summary>
/// <param name="Option">The option that names it.</param>
/// <param name="Target">Which.</param>
/// <param name="Server">What it says.</param>
internal sealed record EndFacts(string Option, ResolvedTarget Target, ServerFacts Server)
{
    private const string Replica = "slave";

    /// <summary>Whether it says that it replicates another.</summary>
    public bool IsReplica => Server.Role == Replica;

    /// <summary>Where its primary is, where it has one.</summary>
    public string Primary =>
        $"{Server.Fields.GetValueOrDefault("master_host")}:{Server.Fields.GetValueOrDefault("master_port")}";

    /// <summary>Asks it.</summary>
    /// <exception cref="Redis.RedisException">It cannot be reached.</exception>
    public static EndFacts Look(string option, ResolvedTarget target)
    {
        using var control = target.OpenControl();
        return new EndFacts(option, target, ServerFacts.Read(control));
    }

    /// <summary>Whether it is a node of a cluster.</summary>
    public bool IsInCluster =>
        Server.Mode == "cluster" || Target.Endpoint.Topology == EndpointTopology.Cluster;

    /// <summary>Refuses what cannot be written to for others to have it.</summary>
    /// <exception cref="RunRefusedException">It is a replica.</exception>
    public void RequireSource()
    {
        if (IsReplica)
        {
            throw new RunRefusedException(
                $"{Option} {Target.Name} is a replica of {Primary}: what is written to it is replicated "
                + "nowhere. Give the primary.");
        }
    }

    /// <summary>Why a key that was written elsewhere may not come here, after it did not.</summary>
    /// <param name="elsewhere">Where it was written, in words.</param>
    public string WhyNot(string elsewhere)
    {
        if (Server.UnavailableBecause is { } unknown)
            return $"{Target.Name} does not tell its role: {unknown}";
        if (IsInCluster)
            return $"{Target.Name} is a cluster: is it {elsewhere}, or does something forward to it?";
        if (!IsReplica)
            return $"{Target.Name} is a primary of its own; nothing that forwards to it took what {elsewhere} was given.";
        return Server.Fields.GetValueOrDefault("master_link_status") == "up"
            ? $"{Target.Name} is a replica of {Primary}: is that {elsewhere}?"
            : $"{Target.Name} is a replica of {Primary}, but its link is down.";
    }
}
