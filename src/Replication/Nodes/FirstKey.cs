using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>A key that tells whether the two ends are linked at all; it is not measured.</summary>
internal static class FirstKey
{
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(5);

    /// <summary>Writes it, and waits until it is there.</summary>
    /// <returns>About how long it took; null where a request to stop came first.</returns>
    /// <exception cref="RunRefusedException">It may not be written or read, or did not come.</exception>
    public static TimeSpan? Send(
        KeyWay way, LinkCheck check, ILinkOptions options, IStopToken stop)
    {
        var (source, destination) = (way.Source.Require(), way.Destination.Require());
        var session = DelayPlan.NewSession();
        var key = ProbeKey.First(way.Prefix, session);
        var value = new byte[ProbeValue.Length];
        ProbeValue.Write(value, session, 0, 0, 0);
        var text = System.Text.Encoding.ASCII.GetString(value);
        var expiry = FormattableString.Invariant($"{(long)options.Expiry.TotalMilliseconds}");
        using var there = way.Source.OpenControl();
        using var here = way.Destination.OpenControl();
        var sent = MonotonicClock.NowNs();
        if (there.Request("SET", key, text, "PX", expiry) is { IsError: true } refused)
            throw new RunRefusedException($"--source {source.Name} takes no keys: {refused.Text}");
        while (true)
        {
            var seen = here.Request("MGET", key);
            var took = TimeSpan.FromTicks((MonotonicClock.NowNs() - sent) / TimeSpan.NanosecondsPerTick);
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

            if (stop.WaitUntilRequested(BetweenLooks))
                return null;
        }
    }
}
