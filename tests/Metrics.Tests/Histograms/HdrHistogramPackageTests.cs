using HdrHistogram;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>What the package of HdrHistogram for .NET makes of our bytes, and we of its.</summary>
public class HdrHistogramPackageTests
{
    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_700_000_000);

    // So many, up to so much: each order of magnitude as often.
    public static TheoryData<int, long> Samples => new()
    {
        { 0, 1 },
        { 1, 1_000 },
        { 10, 100_000 },
        { 10_000, 10_000_000 },
        { 100_000, HdrHistogramPackage.FirstMisplaced - 1 },
    };

    [Theory]
    [MemberData(nameof(Samples))]
    public void OurPlainEncoding_IsReadByThePackage(int count, long highest)
    {
        var ours = Ours(Values(count, highest));

        var read = HdrHistogramPackage.Decode(new HistogramEncoder().Encode(ours));

        read.TotalCount.ShouldBe(count);
        read.HighestTrackableValue.ShouldBe(ours.HighestTrackable);
        HdrHistogramPackage.Counts(read).ShouldBe(HdrHistogramPackage.Counts(ours));
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void ThePackagesPlainEncoding_IsRead(int count, long highest)
    {
        var values = Values(count, highest);

        var read = HistogramDecoder.Decode(HdrHistogramPackage.Encode(HdrHistogramPackage.Recorded(values)));

        read.ShouldBe(Ours(values));
    }

    [Fact]
    public void OurIntervalLog_IsReadByThePackage()
    {
        var stream = new MemoryStream();
        var writer = new IntervalLogWriter(stream, Start, "redis-latency");
        var length = TimeSpan.FromSeconds(1);
        var (first, second) = (Ours(Values(10_000, 10_000_000)), Ours(Values(100, 1_000_000)));
        writer.Write("rtt", Start, length, first);
        writer.Write(null, Start + length, length, second);
        first.Record(-1);
        writer.Write("rtt", Start + (2 * length), length, first);

        stream.Position = 0;
        using var reader = new HistogramLogReader(stream);
        var read = reader.ReadHistograms().ToList();

        reader.GetStartTime().ShouldBe(Start.UtcDateTime);
        read.Select(interval => interval.Tag).ShouldBe(["rtt", null, "rtt"]);
        read.Select(interval => interval.StartTimeStamp)
            .ShouldBe([1_700_000_000_000, 1_700_000_001_000, 1_700_000_002_000]);
        read.Select(interval => interval.EndTimeStamp - interval.StartTimeStamp).ShouldAllBe(taken => taken == 1_000);
        foreach (var (interval, written) in read.Zip([first, second, first]))
            HdrHistogramPackage.Counts(interval).ShouldBe(HdrHistogramPackage.Counts(written));
    }

    private static List<long> Values(int count, long highest)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(0, count).Select(_ => (long)Math.Exp(random.NextDouble() * Math.Log(highest)))];
    }

    private static LatencyHistogram Ours(IEnumerable<long> values)
    {
        var histogram = LatencyHistogram.ForLatency();
        foreach (var value in values)
            histogram.Record(value);
        return histogram;
    }
}
