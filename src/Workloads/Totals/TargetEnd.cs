using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Totals;

/// <summary>How one connection stood when its phase ended.</summary>
internal readonly record struct TargetEnd(RedisEndpoint Target, bool IsConnected, bool IsWaiting, bool IsSilent)
{
    /// <summary>The first that nobody was connected to, or that answered nobody any more.</summary>
    public static LostTarget? Lost(IEnumerable<TargetEnd> ends)
    {
        foreach (var target in ends.GroupBy(end => end.Target))
        {
            if (!target.Any(end => end.IsConnected))
                return new LostTarget(target.Key, false);
            if (target.Any(end => end.IsWaiting) && target.Where(end => end.IsWaiting).All(end => end.IsSilent))
                return new LostTarget(target.Key, true);
        }

        return null;
    }
}

/// <summary>A target gone at the end of a phase; silent if it was connected, and answered nothing.</summary>
internal sealed record LostTarget(RedisEndpoint Target, bool IsSilent);
