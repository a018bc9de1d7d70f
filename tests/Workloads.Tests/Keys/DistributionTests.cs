using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class DistributionTests
{
    private static readonly long[] Counts =
    [
        1, 2, 3, 1000, (1L << 31) - 1, 1L << 31, (1L << 31) + 1, 7_680_000_000, (1L << 53) - 1, (1L << 53) + 1,
        KeySpace.HighestIndex + 1,
    ];

    public static TheoryData<string> Random => new(
        "uniform", "zipfian", "zipfian:1.2", "newest", "newest:0.5", "scrambled", "scrambled:1.2", "hotspot",
        "hotspot:0.05,0.5", "exponential", "exponential:50,0.1", "gaussian");

    public static TheoryData<string> All =>
        new([.. Random.Select(row => row.Data), "ycsb", "latest", "sequential", "partitioned", "hotspot:0,0.5", "hotspot:1,0.5"]);

    [Theory]
    [MemberData(nameof(Random))]
    [InlineData("gaussian:100,80")]
    [InlineData("gaussian:0,1000000")]
    public void Next_FollowsTheExactProbabilities(string distribution)
    {
        var exact = ExactProbabilities.Of(distribution, 700);

        ChiSquare.ShouldFollow(Draws.Count(Draws.Of(distribution, 700), 700, 300_000), key => exact[key]);
    }

    [Theory]
    [InlineData("zipfian", "zipfian:1.2")]
    [InlineData("scrambled", "zipfian")]
    [InlineData("newest", "zipfian")]
    [InlineData("latest", "newest")]
    [InlineData("exponential", "newest")]
    [InlineData("gaussian", "gaussian:100,80")]
    [InlineData("hotspot", "hotspot:0.05,0.5")]
    public void Next_OfAnotherDistribution_FailsTheSameTest(string drawn, string claimed)
    {
        var exact = ExactProbabilities.Of(claimed, 700);

        ChiSquare.Deviation(Draws.Count(Draws.Of(drawn, 700), 700, 300_000), key => exact[key]).ShouldBeGreaterThan(10);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Next_StaysInTheKeySpace_WhateverItsSize(string distribution)
    {
        foreach (var count in Counts)
        {
            foreach (var first in (long[])[0, 1, 5_000_000_000])
            {
                if (first > KeySpace.HighestIndex + 1 - count)
                    continue;
                var chooser = Draws.Of(distribution, count, first);
                var random = new RandomSource(1);
                for (var draw = 0; draw < 300; draw++)
                    chooser.Next(random).ShouldBeInRange(first, first + count - 1, $"{distribution}, {count} keys");
            }
        }
    }

    [Theory]
    [InlineData("uniform")]
    [InlineData("scrambled")]
    [InlineData("zipfian:0.5")]
    [InlineData("newest:0.5")]
    [InlineData("ycsb")]
    [InlineData("hotspot")]
    [InlineData("exponential")]
    [InlineData("gaussian")]
    public void Next_OfMoreKeysThanADoubleTellsApart_ReachesOddAndEvenKeysInEveryPart(string distribution)
    {
        foreach (var count in (long[])[7_680_000_000, (1L << 53) + 1, KeySpace.HighestIndex + 1])
        {
            var chooser = Draws.Of(distribution, count);
            var random = new RandomSource(2);
            int odd = 0, high = 0;
            var seen = new HashSet<long>();
            for (var draw = 0; draw < 20_000; draw++)
            {
                var key = chooser.Next(random);
                odd += (int)(key & 1);
                high += key > count / 2 ? 1 : 0;
                seen.Add(key);
            }

            odd.ShouldBeInRange(8_000, 12_000, $"{distribution}, {count} keys");
            high.ShouldBeInRange(1_000, 19_000, $"{distribution}, {count} keys");
            seen.Count.ShouldBeGreaterThan(5_000, $"{distribution}, {count} keys");
        }
    }

    [Theory]
    [MemberData(nameof(All))]
    public void Next_AllocatesNothing(string distribution)
    {
        var chooser = Draws.Of(distribution, 7_680_000_000);
        var random = new RandomSource(3);
        for (var draw = 0; draw < 100; draw++)
            chooser.Next(random);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var draw = 0; draw < 10_000; draw++)
        {
            chooser.Next(random);
            chooser.Grow(7_680_000_000 + draw);
        }

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(Random))]
    public void WorkersOfOneRun_DrawIndependently_AndTheSameSeedRepeats(string distribution)
    {
        var space = new KeySpace(0, 1_000_000);
        var kind = KeyDistribution.Parse(distribution);
        var source = new RandomSource(99);
        long[] Take(int worker)
        {
            var chooser = kind.Create(space, worker, 4);
            var random = source.Split(worker);
            return [.. Enumerable.Range(0, 50).Select(_ => chooser.Next(random))];
        }

        Take(1).ShouldBe(Take(1));
        Take(1).ShouldNotBe(Take(2));
    }
}
