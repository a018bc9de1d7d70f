using System.Collections.Concurrent;
using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Reports.Output;
using RedisLatency.Sync.Lanes;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// Looks whether the primaries of a target still are what they were when the run began, and still have what they
/// acknowledged. What a server loses with all it had, its checkpoint is lost with; where it lost a part, or went on as
/// another one, nobody may go on from there.
/// </summary>
internal sealed class TargetWatch
{
    private const string Evicted = "evicted_keys";

    private static readonly string[] Emptying = [.. RedisCommands.NamesOf(CommandFlags.Empties)];

    private readonly LaneRules _rules;
    private readonly ConcurrentDictionary<string, ServerSnapshot> _before = [];

    public TargetWatch(LaneRules rules)
    {
        _rules = rules;
        Begin();
    }

    public void Begin()
    {
        foreach (var endpoint in Primaries)
        {
            if (Read(endpoint).Now is { } snapshot)
                _before[endpoint.Address] = snapshot;
        }
    }

    private List<RedisEndpoint> Primaries =>
        _rules.Map?.Current.Shards.Select(shard => shard.Primary.Endpoint).ToList() ?? [_rules.Target.Endpoint];

    /// <summary>Why what was acknowledged may not be there; null where it is.</summary>
    /// <param name="empties">
    /// Whether this run empties databases too: then nobody knows who did. Asked behind the server, as it may have begun
    /// to meanwhile.
    /// </param>
    /// <param name="isLast">Whether nobody looks any more: then a server has to answer.</param>
    public string? FindProblem(Func<bool> empties, bool isLast)
    {
        foreach (var endpoint in Primaries)
        {
            var (now, silence) = Read(endpoint);
            var problem = now is not null ? FindProblem(endpoint, now, empties, isLast)
                : isLast
                    ? $"does not answer at the end ({silence}): whether it has what it acknowledged is not known."
                : null;
            if (problem is not null)
                return $"The target {endpoint.Address} {problem}";
            if (isLast && SentinelCheck.FindProblem(
                _rules.Target.Endpoint, _rules.Target.Connection, endpoint, "wrote to") is { Text: var other })
            {
                return other;
            }
        }

        return null;
    }

    private string? FindProblem(RedisEndpoint endpoint, ServerSnapshot now, Func<bool> empties, bool isLast)
    {
        if (_before.GetValueOrDefault(endpoint.Address) is not { } before)
            return null;
        if (now.Fact("run_id") != before.Fact("run_id"))
            return LaneRules.StartedAgain;
        // Of one whose place another takes the map tells.
        if (now.IsReplica && !before.IsReplica)
            return isLast || _rules.Map is null ? "is a replica now: what its primary does not have is gone." : null;
        if (now.HasOtherHistory(before))
            return Broken("was a replica meanwhile: what it had acknowledged before may be gone.");
        if (now.Number(Evicted) - before.Number(Evicted) is > 0 and var keys)
        {
            return Broken($"evicted keys meanwhile (maxmemory-policy; {Quantity.Count(keys)}): what was written may be "
                + "gone.");
        }

        if (!empties() && now.Risen(before, Emptying) is { Length: > 0 } names)
        {
            return Broken($"was emptied, or its databases swapped, by another client ({names}): what was written "
                + "before is gone.");
        }

        // Its counts may begin anew (CONFIG RESETSTAT): what comes behind that rises from there.
        _before[endpoint.Address] = now;
        return null;
    }

    private string Broken(string why)
    {
        _rules.IsCheckpointBroken = true;
        return _rules.KeepsCheckpoint ? $"{why} {SyncRun.BeginsAnew}" : why;
    }

    private (ServerSnapshot? Now, string? Problem) Read(RedisEndpoint endpoint)
    {
        try
        {
            using var control = (_rules.Target with { Endpoint = endpoint }).OpenControl();
            return (ServerSnapshot.Of(control, "server", "stats", "replication", "commandstats"), null);
        }
        catch (RedisException problem)
        {
            return (null, problem.Message);
        }
    }
}
