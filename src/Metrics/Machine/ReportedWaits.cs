using System.Numerics;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// What a process says that its threads have waited for a processor so far, beyond wake-ups, in slots of a few
/// milliseconds: it travels to a peer that cannot see these threads.
/// </summary>
public sealed record ReportedWaits
{
    private const int MostExcesses = 512;

    // Slots of 5 ms of 170 years: sums of what anybody sends stay far below 2^63.
    private const long MostSlots = 1L << 40;

    // Eight steps from a value to twice as much.
    private const int StepBits = 3;

    private ReportedWaits(long elapsedNs, long slots, IReadOnlyList<(long Ns, long Count)> excesses) =>
        (ElapsedNs, Slots, Excesses) = (elapsedNs, slots, excesses);

    /// <summary>For how long they were watched, in nanoseconds.</summary>
    public long ElapsedNs { get; }

    /// <summary>In how many slots.</summary>
    public long Slots { get; }

    /// <summary>How long they waited in a slot, in nanoseconds and ascending, and how many slots were such.</summary>
    public IReadOnlyList<(long Ns, long Count)> Excesses { get; }

    /// <summary>What anybody says, checked.</summary>
    /// <returns>Null where it cannot be.</returns>
    public static ReportedWaits? Of(long elapsedNs, long slots, IReadOnlyList<(long Ns, long Count)> excesses)
    {
        ArgumentNullException.ThrowIfNull(excesses);
        if (elapsedNs < 0 || slots is < 0 or > MostSlots || excesses.Count > MostExcesses)
            return null;
        var (before, left) = (0L, slots);
        foreach (var (ns, count) in excesses)
        {
            if (ns <= before || ns > ProcessorWaits.LongestNs || count <= 0 || count > left)
                return null;
            (before, left) = (ns, left - count);
        }

        return new(elapsedNs, slots, excesses);
    }

    /// <summary>What was waited since an earlier report of the same process.</summary>
    /// <returns>Null where that cannot be an earlier one of it.</returns>
    public ReportedWaits? Since(ReportedWaits earlier)
    {
        ArgumentNullException.ThrowIfNull(earlier);
        var before = earlier.Excesses.ToDictionary(one => one.Ns, one => one.Count);
        var since = Excesses.Select(one => (one.Ns, Count: one.Count - before.GetValueOrDefault(one.Ns)))
            .Where(one => one.Count != 0).ToList();
        return before.Keys.Except(Excesses.Select(one => one.Ns)).Any()
            ? null
            : Of(ElapsedNs - earlier.ElapsedNs, Slots - earlier.Slots, since);
    }

    /// <summary>A value as it is reported: the middle of its step, which is at most a sixteenth away.</summary>
    internal static long Rounded(long ns)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)ns) - StepBits);
        return (ns >> shift << shift) + (1L << shift >> 1);
    }
}
