using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Sync;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Targets;

/// <summary>
/// Looks at the primaries of a target when a run begins and when it ends: whether they are still the same, and still
/// have what they acknowledged.
/// </summary>
internal sealed class TargetWatch
{
    private const string Replica = "slave";

    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(250);

    private readonly LaneRules _rules;
    private readonly SyncFault _fault;
    private readonly Dictionary<string, NodeState> _before = [];

    public TargetWatch(LaneRules rules, SyncFault fault)
    {
        (_rules, _fault) = (rules, fault);
        foreach (var endpoint in Primaries)
        {
            if (Look(endpoint).State is { } state)
                _before[endpoint.Address] = state;
        }
    }

    private List<RedisEndpoint> Primaries =>
        _rules.Map?.Current.Shards.Select(shard => shard.Primary.Endpoint).ToList() ?? [_rules.Target.Endpoint];

    /// <summary>Compares, at the end. Primaries whose place another has taken are told of elsewhere.</summary>
    public (IReadOnlyList<string> Faults, IReadOnlyList<string> Doubts) Compare(IReadOnlyList<SyncCounts> counts)
    {
        List<string> faults = [];
        List<string> doubts = [];
        var flushes = 0L;
        foreach (var endpoint in Primaries)
        {
            var (now, problem) = Look(endpoint);
            if ((problem is not null || now?.Role == Replica) && IsReplaced(endpoint))
                continue;
            if (problem is not null)
            {
                faults.Add($"The target {endpoint.Address} does not answer at the end ({problem}): whether it has what "
                    + "it acknowledged is not known.");
            }

            if (now is null || _before.GetValueOrDefault(endpoint.Address) is not { } before)
                continue;
            if (now.RunId != before.RunId)
            {
                doubts.Add($"The target {endpoint.Address} was started again: what it had acknowledged and not saved "
                    + "is not there.");
                continue;
            }

            if (now.Role == Replica && before.Role != now.Role)
            {
                faults.Add($"The target {endpoint.Address} is a replica at the end: what it had acknowledged and its "
                    + "primary does not have is gone.");
            }
            else if (now.ReplicationId != before.ReplicationId && now.ReplicationIdBefore != before.ReplicationId
                && now.ReplicationIdBefore.Trim('0').Length > 0)
            {
                faults.Add($"The target {endpoint.Address} was a replica meanwhile: what it had acknowledged before "
                    + "may be gone.");
            }

            if (now.Evictions > before.Evictions)
            {
                faults.Add($"The target {endpoint.Address} evicted keys meanwhile (maxmemory-policy; "
                    + $"{Quantity.Count(now.Evictions - before.Evictions)}): what was written may be gone.");
            }

            if (now.Commands < before.Commands || now.Resets != before.Resets)
            {
                doubts.Add($"The counters of the target {endpoint.Address} were reset meanwhile (CONFIG RESETSTAT): "
                    + "keys that it evicted, or others flushed, are not known of.");
            }

            flushes += now.Flushes - before.Flushes;
        }

        // How often one that the source sent came here is not known: it may be sent again, or go to each primary.
        var sendsFlushes = _rules.Table.All.Where(command => command.Name is "FLUSHALL" or "FLUSHDB")
            .Any(command => counts.Any(one => one.ReadBy(command) > 0));
        if (flushes > 0 && !sendsFlushes)
        {
            faults.Add("Another client emptied the target meanwhile (FLUSHALL or FLUSHDB): what was written before "
                + "is gone.");
        }

        return (faults, doubts);
    }

    // Nobody may have asked since it was lost.
    private bool IsReplaced(RedisEndpoint endpoint)
    {
        if (_rules.Map is not { } map)
            return false;
        for (var look = 0; look < 20 && Primaries.Contains(endpoint); look++)
        {
            map.Doubt(map.Current);
            _fault.Ended.WaitHandle.WaitOne(BetweenLooks);
        }

        return !Primaries.Contains(endpoint);
    }

    private (NodeState? State, string? Problem) Look(RedisEndpoint endpoint)
    {
        try
        {
            using var control = (_rules.Target with { Endpoint = endpoint }).OpenControl();
            return (NodeState.Read(control).State, null);
        }
        catch (RedisException problem)
        {
            return (null, problem.Message);
        }
    }
}
