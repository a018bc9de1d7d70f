using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Merging;

/// <summary>What lies between three regions, from records of the process in each.</summary>
public sealed class MergedRegionsTests : IDisposable
{
    private const long ErrorNs = 1_000;

    // By how much the clock in each is ahead.
    private static readonly (string Name, long AheadNs)[] Regions =
        [("beijing", 5_000_000_000_000), ("shanghai", -7_000_000_000), ("shenzhen", 0)];

    private readonly ScratchFolder _scratch = new();
    private readonly SampleParts _parts;

    public MergedRegionsTests() => _parts = new SampleParts(_scratch);

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void EveryWay_IsAsItsSenderMeasuredIt_AndLoopsClose()
    {
        var merged = Merge();

        merged.Ways.Select(way => (way.From, way.To)).ShouldBe(
        [
            ("beijing", "shanghai"), ("beijing", "shenzhen"), ("shanghai", "beijing"), ("shanghai", "shenzhen"),
            ("shenzhen", "beijing"), ("shenzhen", "shanghai"),
        ]);
        foreach (var way in merged.Ways)
        {
            way.Producer.ShouldBe($"m in {way.From}");
            way.Consumer.ShouldBe($"m in {way.To}");
            way.Forward!.ErrorNs.ShouldBe(ErrorNs);
            way.Forward.Percentiles.At(50)!.Value!.Value
                .ShouldBeInRange(OneWayNs(way.From), OneWayNs(way.From) * 101 / 100);
        }

        merged.Loops.Select(loop => string.Join(' ', loop.Regions))
            .ShouldBe(["beijing shanghai shenzhen", "beijing shenzhen shanghai"]);
        merged.Loops.ShouldAllBe(loop => loop.Closes && loop.OffsetNs == 0 && loop.ErrorNs == 3 * ErrorNs
            && loop.MeanNs == Regions.Sum(region => OneWayNs(region.Name)));
    }

    [Theory]
    [InlineData(3 * ErrorNs, true)]
    [InlineData((3 * ErrorNs) + 1, false)]
    [InlineData((-3 * ErrorNs) - 1, false)]
    public void ALoop_ClosesAsLongAsTheBoundsAllowIt(long wrongByNs, bool closes)
    {
        var merged = Merge(offset => offset with { OffsetNs = offset.OffsetNs + wrongByNs }, "shanghai", "shenzhen");

        // The way is in one of the two; the one that does not close comes first.
        var loops = merged.Loops;
        loops.Count.ShouldBe(2);
        var loop = loops.Single(loop => loop.OffsetNs != 0);
        (loop.OffsetNs, loop.Closes).ShouldBe((wrongByNs, closes));
        loop.Regions.ShouldBe(["beijing", "shanghai", "shenzhen"]);
        if (!closes)
            loops[0].ShouldBeSameAs(loop);
        Text(merged).ShouldContain(closes ? "  yes" : "  NO");
    }

    [Fact]
    public void Offsets_OfLaterEnds_AreReckonedToOneInstant_WithWhatTheirDriftLeavesOpen()
    {
        // A second later, by 40 ppm more, and known to 10 ppm.
        var merged = Merge(
            offset => offset with
            {
                AtNs = offset.AtNs + 1_000_000_000,
                OffsetNs = offset.OffsetNs + 40_000,
                SkewPpm = 40,
                SkewLowPpm = 35,
                SkewHighPpm = 50,
            },
            "shanghai", "shenzhen");

        var loop = merged.Loops.Single(loop => loop.ErrorNs != 3 * ErrorNs);
        loop.OffsetNs.ShouldBeInRange(-1, 1);
        loop.ErrorNs.ShouldBeInRange((3 * ErrorNs) + 9_999, (3 * ErrorNs) + 10_001);
    }

    [Fact]
    public void WhereWhoAnswersIsNotWhoSends_ThereIsNoLoop() =>
        Merge(pair => pair with { Consumer = $"other in {pair.Region}" }).Loops.ShouldBeEmpty();

    [Fact]
    public void OfGradeF_NoLatencyIsShown()
    {
        var merged = Merge(pair => pair with { Grade = OneWayGrade.F });

        merged.Ways.ShouldAllBe(way => way.Forward == null);
        Text(merged).ShouldNotContain("10.00");
    }

    [Fact]
    public void PartsWithoutARegion_HaveNoMatrix() =>
        _parts.Merge([_parts.Write("a", [new(0, 1, 0)]), _parts.Write("b", [new(0, 1, 0)])], out _).Regions
            .ShouldBeNull();

    private static long OneWayNs(string from) => 10_000_000 + from.Length;

    private static string Text(RegionMatrix matrix)
    {
        using var writer = new StringWriter();
        SectionText.Write(writer, RegionSections.Of(matrix));
        return writer.ToString();
    }

    private RegionMatrix Merge(Func<PairOffset, PairOffset> change, string from, string to) => Merge((pair, sender) =>
        sender == from && pair.Region == to ? pair with { Offset = change(pair.Offset!) } : pair);

    private RegionMatrix Merge(Func<OneWayPair, OneWayPair>? change = null) =>
        Merge((pair, _) => change?.Invoke(pair) ?? pair);

    private RegionMatrix Merge(Func<OneWayPair, string, OneWayPair> change) =>
        _parts.Merge([.. Regions.Reverse().Select(region => Write(region, change))], out _).Regions.ShouldNotBeNull();

    private SavedRun Write((string Name, long AheadNs) from, Func<OneWayPair, string, OneWayPair> change)
    {
        List<OneWayPair> pairs = [.. Regions.Where(to => to != from).Select(to => change(PairOf(from, to), from.Name))];
        var run = _parts.Write("m", [new(0, 1_000, 0)], record => record with
        {
            Region = from.Name,
            Summaries = [record.Summaries[0] with { OneWay = pairs }],
        });
        using var file = File.Open(run.LogFile!, FileMode.Append);
        var log = new IntervalLogWriter(file, SampleParts.Start, "test");
        foreach (var tag in new[] { "forward", "2.forward" })
            log.Write(tag, SampleParts.Start, TimeSpan.FromSeconds(1), ValuesFrom(from.Name).Values);
        return run;
    }

    private static SignedLatencyHistogram ValuesFrom(string region)
    {
        var values = SignedLatencyHistogram.ForLatency();
        for (var i = 0; i < 1_000; i++)
            values.Record(OneWayNs(region));
        return values;
    }

    private static OneWayPair PairOf((string Name, long AheadNs) from, (string Name, long AheadNs) to) => new()
    {
        Consumer = $"m in {to.Name}",
        Region = to.Name,
        ConsumerId = "1",
        ClockMode = "probes",
        Grade = OneWayGrade.A,
        // All of one instant, each by the sender's clock.
        Offset = new()
        {
            OffsetNs = to.AheadNs - from.AheadNs,
            AtNs = 20_000_000_000_000 + from.AheadNs,
            ErrorMedianNs = 1,
            ErrorWorstNs = ErrorNs,
            SkewPpm = 0,
            SkewLowPpm = 0,
            SkewHighPpm = 0,
            Windows = 1,
        },
        Series = [OneWaySeries.Of("forward", ValuesFrom(from.Name), ErrorNs)],
        Check = new(OneWayNs(from.Name), OneWayNs(to.Name), OneWayNs(from.Name) + OneWayNs(to.Name)),
    };
}
