using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class GrowthTests
{
    [Theory]
    [InlineData("uniform")]
    [InlineData("zipfian")]
    [InlineData("zipfian:1.2")]
    [InlineData("newest")]
    [InlineData("hotspot")]
    [InlineData("gaussian")]
    public void Grow_ThenNext_FollowsTheExactProbabilitiesOfTheLargerSet(string distribution)
    {
        var chooser = Draws.Of(distribution, 100);
        for (var last = 100; last < 600; last++)
            chooser.Grow(last);
        chooser.Grow(50);
        var exact = ExactProbabilities.Of(distribution, 600);

        ChiSquare.ShouldFollow(Draws.Count(chooser, 600, 300_000), key => exact[key]);
    }

    [Theory]
    [InlineData("latest")]
    [InlineData("newest")]
    public void Latest_FollowsWhatWasAcknowledged(string distribution)
    {
        var chooser = Draws.Of(distribution, 1000, first: 5000);
        var random = new RandomSource(1);
        for (var last = 5999; last < 8000; last += 100)
        {
            chooser.Grow(last);
            var keys = Enumerable.Range(0, 2000).Select(_ => chooser.Next(random)).ToArray();

            keys.ShouldAllBe(key => key >= 5000 && key <= last);
            keys.GroupBy(key => key).MaxBy(group => group.Count())!.Key.ShouldBe(last);
        }
    }

    [Fact]
    public void Exponential_AfterGrowth_PrefersTheYoungestAndKeepsItsScale()
    {
        var chooser = Draws.Of("exponential:90,0.1", 1000);
        chooser.Grow(9_999);

        // 90 % of the draws fall on the youngest tenth of the keys there were at the start.
        var counts = Draws.Count(chooser, 10_000, 100_000);

        counts[^100..].Sum().ShouldBeInRange(89_000, 91_000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(500)]
    public void Scrambled_ThatGrows_DrawsOnlyWhatIsThere_AndInTheEndEveryKey(long expected)
    {
        var chooser = Draws.Of("scrambled:0.5", 100, expectedInserts: expected);
        var random = new RandomSource(1);
        for (var last = 99; last < 600; last += 7)
        {
            chooser.Grow(last);
            for (var draw = 0; draw < 200; draw++)
                chooser.Next(random).ShouldBeInRange(0, last);
        }

        Draws.Count(chooser, 600, 60_000)[..590].ShouldAllBe(count => count > 0);
    }

    [Fact]
    public void Scrambled_WhileItGrowsAsExpected_KeepsItsPopularKeys()
    {
        var chooser = Draws.Of("scrambled", 1000, expectedInserts: 500);
        var before = Popular(Draws.Count(chooser, 1000, 100_000));
        chooser.Grow(1499);
        var after = Popular(Draws.Count(chooser, 1500, 100_000)[..1000]);

        after.Intersect(before).Count().ShouldBeGreaterThanOrEqualTo(8);

        static IEnumerable<int> Popular(long[] counts) =>
            Enumerable.Range(0, counts.Length).OrderByDescending(key => counts[key]).Take(10).ToArray();
    }

    [Fact]
    public void Hotspot_DrawsTheHotSetAndNothingElse_WhereAllOperationsGoThere()
    {
        var counts = Draws.Count(Draws.Of("hotspot:0.1,1", 1000), 1000, 20_000);

        counts[..100].ShouldAllBe(count => count > 0);
        counts[100..].ShouldAllBe(count => count == 0);
    }
}
