using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Records;
using ServerFacts = RedisLatency.Redis.Connections.ServerFacts;

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

internal static class FirstKey
{
    private static readonly TimeSpan BetweenPolls = TimeSpan.FromMilliseconds(5);

    public static TimeSpan? Send(
        KeyWay way, LinkCheck check, DelayOptions options, IStopToken stop)
    {
        var (source, destination) = (way.Source.Require(), way.Destination.Require());
        var session = ProbeKey.NewNumber();
        var key = KeyNames.First(way.Prefix, session);
        var value = new byte[ProbeValue.Length];
        ProbeValue.Write(value, session, 0, 0, 0);
        var text = System.Text.Encoding.ASCII.GetString(value);
        var expiry = FormattableString.Invariant($"{(long)options.Expiry.TotalMilliseconds}");
        using var there = source.OpenControl();
        using var here = destination.OpenControl();
        var sent = MonotonicClock.NowNs();
        if (there.Request("SET", key, text, "PX", expiry) is { IsError: true } refused)
            throw new RunRefusedException($"--source {source.Name} takes no keys: {refused.Text}");
        while (true)
        {
            var seen = here.Request("MGET", key);
            var took = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - sent);
            if (seen.IsError && !new RedisServerException(seen.Text).IsTransient)
                throw new RunRefusedException($"--destination {destination.Name} lets no keys be read: {seen.Text}");
            if (!seen.IsError && seen.Items is [{ IsNull: false }])
                return took;
            if (took > options.LinkTimeout)
            {
                var limit = FormattableString.Invariant($"{options.LinkTimeout.TotalSeconds:0.###} s");
                throw new RunRefusedException(
                    $"A key written to {source.Name} was not at {destination.Name} within {limit}. "
                    + (seen.IsError ? seen.Text : check.WhyNot()));
            }

            if (stop.WaitUntilRequested(BetweenPolls))
                return null;
        }
    }
}

internal sealed record NodeFacts(string Option, ResolvedTarget Target, ServerFacts Server)
{
    public const string Replica = "slave";

    public static IReadOnlyList<MeasuredTarget> ToRecord(
        IReadOnlyList<NodeFacts> servers, IReadOnlyList<IServerPlace> places, Func<int, RedisPipeline> pipelineTo) =>
    [
        .. servers.Select((facts, number) =>
            RunRecordParts.Target(places[number].Label, facts.Target, null, facts.Server) with
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
