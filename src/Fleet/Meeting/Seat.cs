using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Fleet.Meeting;

/// <summary>The index of a member, which only one process has.</summary>
internal sealed record Seat(string Session, int Index, OwnedKey Lease)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // A process that was killed has its index so long; one that lives keeps it.
    private static readonly long PatienceNs = (OwnedKey.Length + TimeSpan.FromSeconds(1)).InNanoseconds;

    /// <summary>Takes the index that is asked for, or the first that is free.</summary>
    /// <exception cref="FleetException">Other processes have it.</exception>
    public static Seat Take(
        ControlClient control, FleetKeys keys, FleetSettings settings, string session, CancellationToken stop)
    {
        var owner = $"{Guid.NewGuid():N} {settings.Instance}";
        var wanted = settings.Index is { } index ? [index] : Enumerable.Range(0, settings.Count).ToArray();
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

    /// <summary>What the holder of an index is called.</summary>
    public static string InstanceOf(string? holder) =>
        holder is null ? "nobody" : holder[(holder.IndexOf(' ', StringComparison.Ordinal) + 1)..];

    private static string Problem(
        ControlClient control, FleetKeys keys, FleetSettings settings, string session, int[] wanted)
    {
        if (settings.Index is null)
            return $"all {settings.Count} members of run {settings.Run} are there already";
        var holder = new OwnedKey(control, keys.Lease(session, wanted[0]), string.Empty).Holder();
        var number = wanted[0].ToString(CultureInfo.InvariantCulture);
        return $"--member {number}: {InstanceOf(holder)} is {settings.Role} {number} of run {settings.Run} already";
    }
}
