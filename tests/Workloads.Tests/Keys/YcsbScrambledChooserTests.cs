using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class YcsbScrambledChooserTests
{
    // What site.ycsb.generator.ScrambledZipfianGenerator(first, first + count) of YCSB 0.18 returns with
    // java.util.Random(42) in its random's place: CoreWorkload includes the end.
    [Theory]
    [InlineData(0, 1000, new long[]
    {
        263, 783, 140, 215, 328, 321, 604, 282, 612, 672, 367, 868, 369, 200, 734, 672, 206, 269, 160, 715, 678, 645,
        334, 144,
    })]
    [InlineData(500, 10_000, new long[]
    {
        7777, 6725, 10008, 5845, 8207, 6190, 624, 4073, 1814, 4380, 2221, 8137, 9019, 6248, 3886, 3562, 10048, 6993,
        2995, 7960, 3081, 8636, 8994, 5427,
    })]
    [InlineData(0, 7_680_000_000, new long[]
    {
        5111455570, 5046874182, 1345323849, 6631243294, 2077077810, 3948127785, 6712448820, 4711985496, 535237955,
        2987763832, 1869734006, 1819487866, 5629615263, 3846157646, 3604808752, 6356425018, 7468365874, 2652310965,
        6087165936, 5313337637, 2358143149, 4902693292, 1376425675, 2569046240,
    })]
    public void KeyAt_IsWhatYcsbDraws(long first, long count, long[] expected)
    {
        var chooser = new YcsbScrambledChooser(new KeySpace(first, count));
        var random = new JavaRandom(42);
        random.NextDouble();

        expected.Select(_ => chooser.KeyAt(random.NextDouble())).ShouldBe(expected);
    }

    [Fact]
    public void Next_FollowsTheSumOfTheItemsThatShareAKey()
    {
        const int Keys = 500;
        const int Head = 2_000_000;
        var probability = new double[Keys];
        var zipfian = new GrayZipfian(YcsbScrambledChooser.InnerItems, 0.99, YcsbScrambledChooser.InnerZeta);
        var below = 0.0;
        for (var item = 0L; item < Head; item++)
        {
            var upTo = UpTo(zipfian, item);
            var key = YcsbHash.Of(item) % (Keys + 1);
            if (key < Keys)
                probability[key] += upTo - below;
            below = upTo;
        }

        // The items of the tail are so many that the hash shares them out evenly.
        for (var key = 0; key < Keys; key++)
            probability[key] += (1 - below) / (Keys + 1);
        var total = probability.Sum();

        var counts = Draws.Count(Draws.Of("ycsb", Keys), Keys, 400_000);

        ChiSquare.ShouldFollow(counts, key => probability[key] / total);
    }

    [Fact]
    public void Next_NeverDrawsWhatIsOnlyExpected_AndFollowsTheInserts()
    {
        var chooser = Draws.Of("ycsb", 100, expectedInserts: 100);
        var random = new RandomSource(1);
        for (var draw = 0; draw < 20_000; draw++)
            chooser.Next(random).ShouldBeInRange(0, 99);
        chooser.Grow(149);
        chooser.Grow(120);

        var counts = Draws.Count(chooser, 150, 50_000);

        counts.Count(count => count > 0).ShouldBeGreaterThan(140);
        counts[149].ShouldBeGreaterThan(0);
    }

    /// <summary>Below which number Gray's formula gives this item or one before it.</summary>
    private static double UpTo(GrayZipfian zipfian, long item) => item switch
    {
        0 => 1 / zipfian.ZetaN,
        1 => (1 + Math.Pow(0.5, 0.99)) / zipfian.ZetaN,
        _ => (Math.Pow((item + 1.0) / YcsbScrambledChooser.InnerItems, 1 / zipfian.Alpha) - 1 + zipfian.Eta)
            / zipfian.Eta,
    };
}
