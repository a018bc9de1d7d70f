using RedisLatency.Redis;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Reports.Output;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// Looks at the primaries of a target when a run begins and when it ends: whether they are still the same, and still
/// have what they acknowledged.
/// </summary>
internal sealed class TargetWatch
{
    private const string Evicted = "evicted_keys";

    private static readonly string[] Emptying = [.. RedisCommands.NamesOf(CommandFlags.Empties)];
    private static readonly TimeSpan BetweenChecks = TimeSpan.FromMilliseconds(250);

    private readonly LaneRules _rules;
    private readonly SyncFault _fault;
    private readonly Dictionary<string, ServerSnapshot> _before = [];
    private readonly List<string> _faults = [];
    private readonly List<string> _doubts = [];

    public TargetWatch(LaneRules rules, SyncFault fault)
    {
        (_rules, _fault) = (rules, fault);
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

    /// <summary>Compares, at the end. Primaries whose place another has taken are told of elsewhere.</summary>
    public (IReadOnlyList<string> Faults, IReadOnlyList<string> Doubts) Compare(IReadOnlyList<SyncCounts> counts)
    {
        var empties = counts.Any(one => one.Emptied + one.Scripts > 0);
        foreach (var endpoint in Primaries)
        {
            var (now, problem) = Read(endpoint);
            if ((problem is not null || now?.IsReplica == true) && IsReplaced(endpoint))
                continue;
            var (faults, doubts) = SentinelCheck.Compare(
                _rules.Target.Endpoint, _rules.Target.Connection, now is { IsReplica: false } ? endpoint : null,
                "wrote to");
            if (faults.Count > 0 && IsReplaced(endpoint))
                continue;
            _faults.AddRange(faults);
            _doubts.AddRange(doubts);
            if (problem is not null)
            {
                _faults.Add($"The target {endpoint.Address} does not answer at the end ({problem}): whether it has "
                    + "what it acknowledged is not known.");
            }
            else if (now is not null && _before.GetValueOrDefault(endpoint.Address) is { } before)
            {
                Compare($"The target {endpoint.Address}", before, now, empties);
                if (now.Fact("run_id") == before.Fact("run_id")
                    && _rules.Processes.GetValueOrDefault(endpoint.Address) == LaneRules.Several)
                {
                    _doubts.Add($"Another server answered at the target's address {endpoint.Address} meanwhile: what "
                        + "that one acknowledged is not here.");
                }
            }
        }

        return (_faults, _doubts);
    }

    private void Compare(string target, ServerSnapshot before, ServerSnapshot now, bool empties)
    {
        if (now.Fact("run_id") != before.Fact("run_id"))
        {
            _doubts.Add($"{target} was started again: what it had acknowledged and not saved is not there.");
            return;
        }

        if (now.IsReplica && !before.IsReplica)
            _faults.Add($"{target} is a replica at the end: what its primary does not have is gone.");
        else if (now.HasOtherHistory(before))
            _faults.Add($"{target} was a replica meanwhile: what it had acknowledged before may be gone.");

        if (now.Number(Evicted) - before.Number(Evicted) is > 0 and var keys)
        {
            _faults.Add($"{target} evicted keys meanwhile (maxmemory-policy; {Quantity.Count(keys)}): what was written "
                + "may be gone.");
        }

        // Where the source empties too, or by scripts, nobody counts whose it was.
        if (!empties && now.Risen(before, Emptying) is { Length: > 0 } names)
        {
            _faults.Add($"{target} was emptied, or its databases swapped, by another client ({names}): what was "
                + "written before is gone.");
        }
    }

    // Nobody may have asked since it was lost.
    private bool IsReplaced(RedisEndpoint endpoint)
    {
        if (_rules.Map is not { } map)
            return false;
        for (var i = 0; i < 20 && Primaries.Contains(endpoint); i++)
        {
            map.Doubt(map.Current);
            _fault.Ended.WaitHandle.WaitOne(BetweenChecks);
        }

        return !Primaries.Contains(endpoint);
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
