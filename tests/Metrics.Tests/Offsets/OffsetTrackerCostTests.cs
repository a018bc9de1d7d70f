using System.Diagnostics;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

public class OffsetTrackerCostTests
{
    private const int BytesPerWindow = 4096;
    private const int Parts = 100;
    private const int PartLength = 10_000;

    [Fact]
    public void MillionProbes_AreSolvedInTenTimesASecond()
    {
        var probes = Probes(Parts * PartLength, 2_000_000);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        var windows = 0;
        var quickest = TimeSpan.MaxValue;
        for (var part = 0; part < Parts; part++)
        {
            var clock = Stopwatch.StartNew();
            windows += Solve(tracker, probes.AsSpan(part * PartLength, PartLength), part == Parts - 1);
            quickest = clock.Elapsed < quickest ? clock.Elapsed : quickest;
        }

        // Neighbours only add to what a part takes.
        (quickest * Parts).ShouldBeLessThan(TimeSpan.FromSeconds(10));
        windows.ShouldBe(2_000);
    }

    [Fact]
    public void Add_InASteadyState_AllocatesNothingButTheWindows()
    {
        var probes = Probes(300_000, 1_000_000);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        Solve(tracker, probes.AsSpan(0, 100_000), complete: false);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var windows = Solve(tracker, probes.AsSpan(100_000), complete: false);

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        windows.ShouldBeInRange(190, 210);
        allocated.ShouldBeLessThan(windows * BytesPerWindow);
    }

    private static int Solve(OffsetTracker tracker, ReadOnlySpan<ClockProbe> probes, bool complete = true)
    {
        var windows = 0;
        foreach (var probe in probes)
        {
            tracker.Add(probe);
            while (tracker.TryTake(out _))
                windows++;
        }

        if (complete)
            tracker.Complete(probes[^1].SentNs + 2_000_000);
        while (tracker.TryTake(out _))
            windows++;
        return windows;
    }

    private static ClockProbe[] Probes(int count, long every)
    {
        var script = new ProbeScript(at => 1e12 + (at * 12e-6));
        return [.. Enumerable.Range(0, count).Select(number => script.At(number * every))];
    }
}
