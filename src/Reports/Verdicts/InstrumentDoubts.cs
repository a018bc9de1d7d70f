using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Verdicts;

/// <summary>
/// Finds the percentiles that the machine can have made. Of each cause it is known in what share of the time it was
/// material for a value. Were all samples of that time the slowest, the percentile of the others would be a lower one
/// of all: what is more than that by half is in doubt.
/// </summary>
public sealed class InstrumentDoubts
{
    // The bound is the worst case. By a quarter, quiet machines were in doubt at p99 in half of all runs.
    private const double InDoubtFrom = 1.5;

    // More of the time than this can make any percentile, whatever it leaves above it.
    private const double AlwaysEnough = 0.25;

    // Timer slack is 50 µs, and a processor that slept takes tens of microseconds to wake.
    private const long LongestWakeUpNs = 200_000;

    private readonly LatencyHistogram _standstills;
    private readonly CpuUsage? _cpu;

    /// <summary>Judges by what the machine did while it was measured.</summary>
    /// <param name="standstills">How late a thread woke that did nothing else, by no wait for a processor.</param>
    /// <param name="cpu">What was taken from this process and its host meanwhile; null where it is not known.</param>
    public InstrumentDoubts(LatencyHistogram standstills, CpuUsage? cpu) =>
        (_standstills, _cpu) = (standstills, cpu);

    /// <summary>Whether the machine can have made a percentile, which need not be among those that are shown.</summary>
    public bool IsInDoubt(ShownPercentiles shown, double percentile) =>
        shown.ValueAt(percentile) is { } value && value > 0
        && CanMake(value, percentile, CausesAt(shown, value).Sum(cause => cause.Share), shown.ValueAt);

    /// <summary>Whether a value can be that of so large a share of the samples, were they the slowest of all.</summary>
    internal static bool CanMake(long value, double percentile, double share, Func<double, long?> valueAt)
    {
        var others = percentile * (1 - share);
        // What touched fewer than the percentile leaves above it cannot have made all that lies there.
        return share >= Math.Min(1 - (percentile / 100), AlwaysEnough)
            && (others <= 0 || value > InDoubtFrom * valueAt(others));
    }

    /// <summary>Why a percentile is in doubt, and what helps, in two sentences.</summary>
    public string Because(ShownPercentiles shown, double percentile)
    {
        var worst = CausesAt(shown, shown.ValueAt(percentile) ?? 0).MaxBy(cause => cause.Share);
        return $"The machine can have made {shown.Name} from {LatencyTable.NameOf(percentile)} on: {worst.Sentence}";
    }

    private IEnumerable<(double Share, string Sentence)> CausesAt(ShownPercentiles shown, long value)
    {
        var own = 0.0;
        foreach (var party in shown.Waits.Where(party => party.IsCounted))
        {
            var share = party.ShareAt(value, shown.Samples);
            own = party.IsOwn ? share : own;
            yield return (share,
                $"{party.Who} waited for a processor in {Quantity.Percent(Math.Min(1, party.Share))} of the time. Stop "
                + $"what else runs on {(party.IsReported ? "its" : "this")} machine, or measure on another.");
        }

        // Late sends are this process' own waits, as far as those are counted; what is more is counted here.
        if (shown.Lateness is { TotalCount: > 0 } lateness)
        {
            var late = ShareFrom(lateness, (long)(ProcessorWaits.MaterialShare * value));
            yield return (Math.Max(0, late - own),
                $"{Quantity.Percent(late)} of it was sent late. Ask for less (--rate), or measure on another machine.");
        }

        var still = ShareFrom(_standstills, LongestWakeUpNs + (long)(ProcessorWaits.MaterialShare * value));
        yield return (still,
            $"this process stood still, for up to {Quantity.Duration(_standstills.Max)} at a time. Measure longer, or "
            + "on another machine.");

        if (_cpu?.HostStealShare is > 0 and { } steal)
        {
            yield return (steal, $"its host took {Quantity.Percent(steal)} of this machine's time (steal). Measure on "
                + "another machine.");
        }

        if (_cpu is { ThrottledNs: > 0, ElapsedNs: > 0 })
        {
            yield return ((double)_cpu.ThrottledNs.Value / _cpu.ElapsedNs,
                $"the CPU quota stopped this process for {Quantity.Duration(_cpu.ThrottledNs.Value)}. Give it a larger "
                + "quota.");
        }
    }

    private static double ShareFrom(LatencyHistogram times, long fromNs) => times.TotalCount == 0
        ? 0
        : (double)times.CountBetween(Math.Max(1, fromNs), times.HighestRecordable) / times.TotalCount;
}
