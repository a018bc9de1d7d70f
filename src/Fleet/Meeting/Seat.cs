using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Fleet.Meeting;

/// <summary>The place of a member, which only one process has.</summary>
internal sealed record Seat(string Session, int Place, OwnedKey Lease)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // A process that was killed has its place so long; one that lives keeps it.
    private static readonly long PatienceNs = (OwnedKey.Length + TimeSpan.FromSeconds(1)).InNanoseconds;

    /// <summary>Takes the place that is asked for, or the first of the role that is free.</summary>
    /// <exception cref="FleetException">Other processes have it.</exception>
    public static Seat Take(
        ControlClient control, FleetKeys keys, FleetSettings settings, string session, CancellationToken stop)
    {
        var owner = $"{Guid.NewGuid():N} {settings.Instance}";
        var (first, count) = (settings.Roster.FirstOf(settings.Role), settings.Roster.CountOf(settings.Role));
        var wanted = settings.Index is { } index ? [first + index] : Enumerable.Range(first, count).ToArray();
        var untilNs = MonotonicClock.NowNs() + PatienceNs;
        while (true)
        {
            foreach (var member in wanted)
            {
                var lease = new OwnedKey(control, keys.Lease(session, member), owner);
                if (lease.TryTake())
                    return new Seat(session, member, lease);
            }

            if (MonotonicClock.NowNs() > untilNs)
                throw new FleetException(Problem(control, keys, settings, session, wanted));
            stop.WaitHandle.WaitOne(Pause);
            stop.ThrowIfCancellationRequested();
        }
    }

    /// <summary>What the holder of a place is called.</summary>
    public static string InstanceOf(string? holder) =>
        holder is null ? "nobody" : holder[(holder.IndexOf(' ', StringComparison.Ordinal) + 1)..];

    private static string Problem(
        ControlClient control, FleetKeys keys, FleetSettings settings, string session, int[] wanted)
    {
        if (settings.Index is not { } index)
            return $"run {settings.Run} has all its members {settings.Role}={wanted.Length} already";
        var holder = new OwnedKey(control, keys.Lease(session, wanted[0]), string.Empty).Holder();
        if (settings.Roster.IsOfRegions)
            return $"--region {settings.Role}: {InstanceOf(holder)} is there for run {settings.Run} already";
        var number = index.ToString(CultureInfo.InvariantCulture);
        return $"--member {number}: {InstanceOf(holder)} is {settings.Role} {number} of run {settings.Run} already";
    }
}
