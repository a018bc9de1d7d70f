using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Records;
using ServerFacts = RedisLatency.Redis.Connections.ServerFacts;

namespace RedisLatency.Replication.Servers;

/// <summary>What a server said of itself, and which option named it.</summary>
internal sealed record NodeFacts(string Option, ResolvedTarget Target, ServerFacts Server)
{
    public const string Replica = "slave";

    public static IReadOnlyList<MeasuredTarget> ToRecord(
        IReadOnlyList<NodeFacts> servers, IReadOnlyList<IServerLocator> locators,
        Func<int, RedisPipeline> pipelineTo) =>
    [
        .. servers.Select((facts, number) =>
            RunRecordParts.Target(locators[number].Label, facts.Target, null, facts.Server) with
            {
                Driver = "raw",
                DriverVersion = ProgramVersion.Text,
                Protocol = pipelineTo(number).Protocol,
                Transport = pipelineTo(number).TransportDescription,
            }).DistinctBy(target => target.Endpoint),
    ];

    public bool IsReplica => Server.Role == Replica;

    public string Primary =>
        $"{Server.Fields.GetValueOrDefault("master_host")}:{Server.Fields.GetValueOrDefault("master_port")}";

    public static NodeFacts Read(string option, ResolvedTarget target)
    {
        using var control = target.OpenControl();
        return new NodeFacts(option, target, ServerFacts.Read(control));
    }

    public bool IsInCluster => Server.Mode == "cluster" || Target.Endpoint.Topology == EndpointTopology.Cluster;

    public void RequireSource()
    {
        if (IsReplica)
        {
            throw new RunRefusedException(
                $"{Option} {Target.Name} is a replica of {Primary}: what is written to it is replicated "
                + "nowhere. Give the primary.");
        }
    }

    public string WhyNot(string elsewhere)
    {
        if (Server.UnavailableBecause is { } unknown)
            return $"{Target.Name} does not report its role: {unknown}";
        if (IsInCluster)
            return $"{Target.Name} is a cluster: is it {elsewhere}, or does something forward to it?";
        if (!IsReplica)
            return $"{Target.Name} is a primary of its own; nothing that forwards to it took what {elsewhere} was "
                + "given.";
        return Server.Fields.GetValueOrDefault("master_link_status") == "up"
            ? $"{Target.Name} is a replica of {Primary}: is that {elsewhere}?"
            : $"{Target.Name} is a replica of {Primary}, but its link is down.";
    }
}
