using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Links;

/// <summary>Writes one key to a source and waits until it is at the destination.</summary>
internal static class FirstKey
{
    private static readonly TimeSpan BetweenPolls = TimeSpan.FromMilliseconds(5);

    public static TimeSpan? Send(
        KeyRoute route, LinkCheck check, DelayOptions options, IStopToken stop)
    {
        var (source, destination) = (route.Source.Require(), route.Destination.Require());
        var session = RunIdentity.NewProcess();
        var key = KeyNames.First(route.Prefix, session);
        var value = new byte[ProbeValue.Length];
        ProbeValue.Write(value, Encoding.ASCII.GetBytes(key), session, 0, 0, 0);
        var text = Encoding.ASCII.GetString(value);
        var expiry = FormattableString.Invariant($"{(long)options.Expiry.TotalMilliseconds}");
        using var there = new KeyClient(route.Source, TimeSpan.Zero, stop);
        using var here = new KeyClient(route.Destination, TimeSpan.Zero, stop);
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
