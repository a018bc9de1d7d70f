using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Tests.Keys;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Tests.Values;

public class ValueSizeTests
{
    [Theory]
    [InlineData("100", 100, 100)]
    [InlineData("0", 0, 0)]
    [InlineData("1KiB", 1024, 1024)]
    [InlineData("64..4096", 64, 4096)]
    [InlineData("64-4096", 64, 4096)]
    [InlineData("1B..1KiB", 1, 1024)]
    [InlineData("32:50,1024:1", 32, 1024)]
    [InlineData("1024:1", 1024, 1024)]
    [InlineData("1..1000/zipfian:0.99", 1, 1000)]
    [InlineData("1-1000/gaussian", 1, 1000)]
    [InlineData("512MiB", 536_870_912, 536_870_912)]
    public void Read_OfEveryForm_KnowsItsBounds(string text, int minimum, int maximum)
    {
        var size = ValueSize.Parse(text);

        ValueSize.Problem(text).ShouldBeNull();
        (size.Minimum, size.Maximum, size.IsConstant).ShouldBe((minimum, maximum, minimum == maximum));
        size.ToString().ShouldBe(text);
    }

    [Fact]
    public void Size_ByKey_GrowsFromTheFirstRecordToTheLast()
    {
        var source = new ValueSource(
            ValueSize.Parse("10..110/by-key"), ValueContent.Parse("constant"), new KeySpace(1_000, 101));
        var random = new RandomSource(1);

        ((long[])[1_000, 1_001, 1_050, 1_100, 5_000]).Select(key => source.NextLength(key, random))
            .ShouldBe([10, 11, 60, 110, 110]);
    }

    [Fact]
    public void Histogram_IsReadAsYcsbWritesIt_TheLastBucketToo()
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, "BlockSize\t100\n0\t3\n1\t0\n2\t1\n");

            var size = ValueSize.Parse($"histogram:{file}");

            (size.Minimum, size.Maximum).ShouldBe((100, 300));
            ChiSquare.ShouldFollow(Count($"histogram:{file}", 100, 201), bin => bin switch
            {
                0 => 0.75,
                200 => 0.25,
                _ => 0,
            });
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("BlockSize 100\n0\t1")]
    [InlineData("BlockSize\t0\n0\t1")]
    [InlineData("BlockSize\t100\n-1\t1")]
    [InlineData("BlockSize\t100\n0\t0")]
    [InlineData("BlockSize\t2147483647\n2147483647\t1")]
    public void Histogram_OfAnotherForm_IsRefused(string text) =>
        LengthHistogram.ReadText(text).Problem.ShouldNotBeNull().ShouldStartWith("the file has to begin");

    [Theory]
    [InlineData("64..79")]
    [InlineData("64-79")]
    public void Range_IsEven(string text) => ChiSquare.ShouldFollow(Count(text, 64, 16), _ => 1.0 / 16);

    [Fact]
    public void Weights_AreKept()
    {
        var counts = Count("10:50,12:1.5,11:25", 10, 3);

        ChiSquare.ShouldFollow(counts, bin => new[] { 50, 25, 1.5 }[bin] / 76.5);
        ChiSquare.Deviation(counts, bin => new[] { 50, 24, 2.5 }[bin] / 76.5).ShouldBeGreaterThan(10);
    }

    [Fact]
    public void Distribution_SpreadsOverTheRange()
    {
        var exact = ExactProbabilities.Of("zipfian", 700);

        ChiSquare.ShouldFollow(Count("1..700/zipfian", 1, 700), bin => exact[bin]);
    }

    [Theory]
    [InlineData("100")]
    [InlineData("64..4096")]
    [InlineData("32:50,1024:1")]
    [InlineData("1..1000/gaussian")]
    public void Next_AllocatesNothing(string text)
    {
        var lengths = ValueSize.Parse(text).Create();
        var random = new RandomSource(1);
        lengths.Next(random);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var draw = 0; draw < 10_000; draw++)
            lengths.Next(random);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Theory]
    [InlineData("", "a size (100, 1KiB), a range (64..4096)")]
    [InlineData("big", "a size (100, 1KiB)")]
    [InlineData("-5", "a size (100, 1KiB)")]
    [InlineData("1kb", "the unit is not known")]
    [InlineData("1.5", "a whole number of bytes is needed")]
    [InlineData("513MiB", "at most 512MiB")]
    [InlineData("99999999999999999999999999", "at most 512MiB")]
    [InlineData("100..50", "a range goes from the smaller size to the larger one")]
    [InlineData("1..2..3", "a size is needed")]
    [InlineData("1..", "a size is needed")]
    [InlineData("32:50,", "'' is not a size with its weight, for instance 32:50")]
    [InlineData("32:50,64", "'64' is not a size with its weight")]
    [InlineData("32:0", "in '32:0': a weight is a number above 0")]
    [InlineData("32:-1", "in '32:-1': a weight")]
    [InlineData("32:NaN", "in '32:NaN': a weight")]
    [InlineData("x:1", "in 'x:1': a size is needed")]
    [InlineData("1:2:3", "'1:2:3' is not a size with its weight")]
    [InlineData("100/zipfian", "a distribution needs a range")]
    [InlineData("1..10/zipf", "a distribution is needed")]
    [InlineData("1..10/partitioned", "partitioned spreads keys, not sizes")]
    [InlineData("1..10/ycsb", "ycsb spreads keys, not sizes")]
    [InlineData("1..10/gaussian:11", "the median of gaussian:11 lies outside")]
    [InlineData("..", "a size (100, 1KiB)")]
    public void Problem_OfAHostileText_NamesWhatIsWanted(string text, string wanted)
    {
        ValueSize.Problem(text).ShouldNotBeNull().ShouldStartWith(wanted);
        Should.Throw<FormatException>(() => ValueSize.Parse(text)).Message.ShouldContain(wanted);
    }

    private static long[] Count(string text, int first, int lengths)
    {
        var chooser = ValueSize.Parse(text).Create();
        var random = new RandomSource(17);
        var counts = new long[lengths];
        for (var draw = 0; draw < 200_000; draw++)
            counts[chooser.Next(random) - first]++;
        return counts;
    }
}
