using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Totals;

/// <summary>How one connection stood when its phase ended.</summary>
/// <param name="Target">Where it leads.</param>
/// <param name="IsConnected">Whether it did.</param>
/// <param name="IsWaiting">Whether operations waited for its replies.</param>
/// <param name="IsSilent">Whether none of them came until they were given up.</param>
internal readonly record struct TargetEnd(RedisEndpoint Target, bool IsConnected, bool IsWaiting, bool IsSilent)
{
    /// <summary>
    /// The first target that nobody was connected to, or that answered nobody any more; null if none.
    /// </summary>
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

/// <summary>A target that was gone at the end of a phase.</summary>
/// <param name="Target">Where it was.</param>
/// <param name="IsSilent">Whether it was connected, and answered nothing.</param>
internal sealed record LostTarget(RedisEndpoint Target, bool IsSilent);
