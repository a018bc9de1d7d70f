using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Engine;

/// <summary>How one connection stood when its phase ended.</summary>
internal readonly record struct TargetEnd(RedisEndpoint Target, bool IsConnected, bool IsWaiting, bool IsSilent)
{
    /// <summary>Whether requests were left on it of which no more was answered for long.</summary>
    public bool IsStuck { get; init; }

    /// <summary>
    /// The first that nobody was connected to; else, as another may only be slow, that answered nobody any more.
    /// </summary>
    public static LostTarget? Lost(IEnumerable<TargetEnd> ends)
    {
        var targets = ends.GroupBy(end => end.Target).ToList();
        if (targets.Find(target => !target.Any(end => end.IsConnected)) is { } away)
            return new LostTarget(away.Key, false);
        var silent = targets.Find(target =>
            target.Any(end => end.IsWaiting) && target.Where(end => end.IsWaiting).All(end => end.IsSilent));
        return silent is null ? null : new LostTarget(silent.Key, true);
    }
}
