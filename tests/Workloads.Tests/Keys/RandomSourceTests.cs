using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class RandomSourceTests
{
    [Fact]
    public void NextUInt64_FromAKnownState_GivesWhatTheAuthorsProgramGives()
    {
        var random = new RandomSource(1, 2, 3, 4);

        new[] { random.NextUInt64(), random.NextUInt64(), random.NextUInt64(), random.NextUInt64() }
            .ShouldBe([11520UL, 0UL, 1509978240UL, 1215971899390074240UL]);
    }

    [Fact]
    public void SplitMix64_FromAKnownState_GivesWhatTheAuthorsProgramGives()
    {
        var state = 1234567UL;

        new[] { SplitMix64.Next(ref state), SplitMix64.Next(ref state), SplitMix64.Next(ref state) }
            .ShouldBe([6457827717110365317UL, 3203168211198807973UL, 9817491932198370423UL]);
    }

    [Fact]
    public void SameSeed_GivesTheSameNumbers_AndAnotherSeedOthers()
    {
        var first = new RandomSource(7);
        var second = new RandomSource(7);
        var other = new RandomSource(8);

        for (var draw = 0; draw < 100; draw++)
        {
            var number = first.NextUInt64();
            second.NextUInt64().ShouldBe(number);
            other.NextUInt64().ShouldNotBe(number);
        }
    }

    [Fact]
    public void Split_DependsOnSeedAndWorkerAlone()
    {
        var source = new RandomSource(7);
        var before = source.Split(3).NextUInt64();
        for (var draw = 0; draw < 10; draw++)
            source.NextUInt64();

        source.Split(3).NextUInt64().ShouldBe(before);
        new RandomSource(8).Split(3).NextUInt64().ShouldNotBe(before);
    }

    [Fact]
    public void Split_OfAThousandWorkersAndTheirOwnSplits_NeverGivesTheSameStreamTwice()
    {
        var source = new RandomSource(0);
        var numbers = Enumerable.Range(0, 1000)
            .SelectMany(worker => new[] { source.Split(worker), source.Split(worker).Split(worker) })
            .Select(random => random.NextUInt64());

        numbers.Distinct().Count().ShouldBe(2000);
    }

    [Theory]
    [InlineData(1UL)]
    [InlineData(3UL)]
    [InlineData(1000UL)]
    [InlineData(7_680_000_000UL)]
    [InlineData((1UL << 53) + 1)]
    [InlineData((1UL << 63) + 1)]
    [InlineData(ulong.MaxValue)]
    public void Below_StaysBelow_AndReachesBothHalves(ulong bound)
    {
        var random = new RandomSource(1);
        ulong lowest = ulong.MaxValue, highest = 0;
        for (var draw = 0; draw < 1000; draw++)
        {
            var number = random.Below(bound);
            (lowest, highest) = (Math.Min(lowest, number), Math.Max(highest, number));
        }

        highest.ShouldBeLessThan(bound);
        highest.ShouldBeGreaterThanOrEqualTo(bound / 2);
        lowest.ShouldBeLessThanOrEqualTo(bound / 2);
    }

    [Fact]
    public void Below_ABoundThatDoesNotDivide_IsUnbiased()
    {
        // Without rejection a third of the numbers would come twice as often as the others.
        const ulong Bound = (1UL << 63) + (1UL << 62);
        var random = new RandomSource(5);
        var counts = new long[3];
        for (var draw = 0; draw < 300_000; draw++)
            counts[random.Below(Bound) / (1UL << 62)]++;

        ChiSquare.ShouldFollow(counts, _ => 1.0 / 3);
    }

    [Fact]
    public void NextDouble_IsEvenFrom0To1_AndItsPositiveTwinNever0()
    {
        var random = new RandomSource(2);
        var counts = new long[100];
        for (var draw = 0; draw < 200_000; draw++)
        {
            counts[(int)(random.NextDouble() * 100)]++;
            random.NextPositiveDouble().ShouldBeInRange(double.Epsilon, 1);
        }

        ChiSquare.ShouldFollow(counts, _ => 0.01);
    }

    [Fact]
    public void Fill_OfEveryLength_FillsThatAndNoMore()
    {
        for (var length = 0; length <= 40; length++)
        {
            var target = new byte[48];
            var seen = new byte[48];
            var random = new RandomSource(3);
            for (var time = 0; time < 20; time++)
            {
                random.Fill(target.AsSpan(4, length));
                for (var index = 0; index < seen.Length; index++)
                    seen[index] |= target[index];
            }

            seen.Take(4).Concat(seen.Skip(4 + length)).ShouldAllBe(value => value == 0);
            seen.Skip(4).Take(length).ShouldAllBe(value => value != 0);
        }
    }

    [Fact]
    public void Fill_IsEvenOverAllBytes()
    {
        var bytes = new byte[300_007];
        new RandomSource(4).Fill(bytes);
        var counts = new long[256];
        foreach (var value in bytes)
            counts[value]++;

        ChiSquare.ShouldFollow(counts, _ => 1.0 / 256);
    }
}
