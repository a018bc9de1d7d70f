using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Tests.Machine;

public class GcPauseWatchTests
{
    [Fact]
    public void Look_AfterAFullCollection_CountsItWithItsPause()
    {
        var watch = new GcPauseWatch();
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);

        var pauses = watch.Poll();

        pauses.Generation2.ShouldBeGreaterThanOrEqualTo(1);
        pauses.TotalPauseNs.ShouldBeGreaterThan(0);
        pauses.LongestPauseNs.ShouldBeGreaterThan(0);
        watch.Total.ShouldBe(pauses);
    }

    [Fact]
    public void Since_AnEarlierReading_CountsEachCollectionInItsOldestGenerationOnly()
    {
        var earlier = new GcReading(10, 5, 2, TimeSpan.FromMilliseconds(7));
        var later = new GcReading(20, 8, 3, TimeSpan.FromMilliseconds(9));

        later.Since(earlier).ShouldBe(new GcPauses(7, 2, 1, 2_000_000, 2_000_000, LongestIsExact: false));
        later.Since(later).ShouldBe(new GcPauses(0, 0, 0, 0, 0, LongestIsExact: true));
        (later with { Generation0 = 21 }).Since(later).LongestIsExact.ShouldBeTrue();
    }

    [Fact]
    public void Look_AllocatesNothing()
    {
        var watch = new GcPauseWatch();
        watch.Poll();
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 100; i++)
            watch.Poll();

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void Followed_ByALongerInexactPause_IsInexact()
    {
        var first = new GcPauses(1, 0, 0, 500, 500, LongestIsExact: true);
        var second = new GcPauses(1, 1, 1, 900, 900, LongestIsExact: false);

        first.Followed(second).ShouldBe(new GcPauses(2, 1, 1, 1_400, 900, LongestIsExact: false));
        second.Followed(first).ShouldBe(new GcPauses(2, 1, 1, 1_400, 900, LongestIsExact: false));
        first.Followed(second with { LongestPauseNs = 400 }).LongestIsExact.ShouldBeTrue();
    }
}
