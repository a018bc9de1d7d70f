using System.Text.Json;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;

namespace RedisLatency.Fleet.Meeting;

/// <summary>
/// Who is there. A member is dead whose lease has been away for longer than a restarted control Redis keeps members
/// from renewing theirs.
/// </summary>
internal sealed class RollCall(ControlClient control, FleetKeys keys, string session, int own, int count)
{
    private static readonly long GraceNs = OwnedKey.Length.InNanoseconds;

    private readonly RedisKey[] _leases = [.. Enumerable.Range(0, count).Select(one => keys.Lease(session, one))];
    private readonly long[] _awaySinceNs = new long[count];
    private readonly string?[] _instances = new string?[count];

    /// <summary>The members whose leases ran out, as of now; this one never is.</summary>
    public HashSet<int> Gone()
    {
        var leases = control.Ask(database => database.StringGet(_leases));
        var now = MonotonicClock.NowNs();
        HashSet<int> gone = [];
        for (var member = 0; member < count; member++)
        {
            if (!leases[member].IsNull || member == own)
                _awaySinceNs[member] = 0;
            else if (_awaySinceNs[member] == 0)
                _awaySinceNs[member] = now;
            else if (now - _awaySinceNs[member] > GraceNs)
                gone.Add(member);
        }

        return gone;
    }

    /// <summary>The members that have their leases now.</summary>
    public HashSet<int> Present()
    {
        var leases = control.Ask(database => database.StringGet(_leases));
        return [.. Enumerable.Range(0, count).Where(member => !leases[member].IsNull)];
    }

    /// <summary>Whether any member has its lease now.</summary>
    public bool IsAnybodyThere() => Present().Count > 0;

    /// <summary>Whether this is the lowest member that is there.</summary>
    public bool IsLeader()
    {
        for (var member = 0; member < own; member++)
        {
            if (!control.Ask(database => database.StringGet(_leases[member])).IsNull)
            {
                _awaySinceNs[member] = 0;
                return false;
            }

            if (_awaySinceNs[member] == 0)
                _awaySinceNs[member] = MonotonicClock.NowNs();
            if (MonotonicClock.NowNs() - _awaySinceNs[member] <= GraceNs)
                return false;
        }

        return true;
    }

    /// <summary>How far each is that has said so.</summary>
    public Dictionary<int, MemberState> States()
    {
        var states = control.Ask(database => database.HashGetAll(keys.States(session)))
            .Select(entry =>
                ((int)entry.Name, JsonSerializer.Deserialize($"{entry.Value}", FleetJson.Default.MemberState)))
            .Where(item => item.Item1 >= 0 && item.Item1 < count && item.Item2 is not null)
            .ToDictionary(item => item.Item1, item => item.Item2!);
        foreach (var (member, state) in states)
            _instances[member] = state.Instance;
        return states;
    }

    /// <summary>What a member was called when it last said so: a restarted control Redis has forgotten it.</summary>
    public string InstanceOf(int member) => _instances[member] ?? "?";
}
