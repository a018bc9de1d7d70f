using RedisLatency.Lab.SelfTest;
using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>In all of these worlds the two clocks are one, unless a test says otherwise: the true θ is 0.</summary>
public class OffsetChecksTests
{
    [Theory]
    [InlineData(0, true)]
    [InlineData(1_000, true)]
    [InlineData(-1_000, true)]
    [InlineData(1_003, false)]
    [InlineData(-1_003, false)]
    public void TruthInside_OfAnOffset_HoldsUpToE(long offset, bool holds)
    {
        var seen = Observed.Of(Observed.Window(1, 0, 1_000), Observed.Window(2, offset, 1_000));

        Inside(seen).Holds.ShouldBe(holds);
    }

    [Fact]
    public void TruthInside_OfABoundThatShrinksAtTheEnd_LooksThere()
    {
        var window = Observed.Window(1, 500, 1_000) with { ErrorAtEndNs = 400 };

        Inside(Observed.Of(window)).Holds.ShouldBeFalse();
    }

    [Fact]
    public void TruthInside_OfNoWindow_IsMissed() =>
        Inside(Observed.Of(Observed.Pair)).Holds.ShouldBeFalse();

    [Fact]
    public void TruthInside_AtAStep_AsksForBothSides()
    {
        var clock = SyntheticClock.Parse("step=5ms@1.5s", anchorNs: 0);
        var clocks = new PlantedClocks(null, clock, 0);
        var split = Observed.Of(
            Observed.Window(1, 0, 1_000) with { EndNs = 1_500_000_000, ReferenceNs = 1_250_000_000 },
            Observed.Window(1, 5_000_000, 1_000) with { StartNs = 1_500_000_000, ReferenceNs = 1_750_000_000 });
        var oneSided = Observed.Of(Observed.Window(1, 5_000_000, 1_000) with
        {
            StartNs = 1_499_999_900,
            EndNs = 1_500_000_000 + 100_000_000,
            ReferenceNs = 1_550_000_000,
        });
        var blind = Observed.Of(Observed.Window(1, 0, 1_000));

        Inside(split with { Clocks = clocks }).Holds.ShouldBeTrue();
        Inside(oneSided with { Clocks = clocks }).Holds.ShouldBeFalse();
        Inside(blind with { Clocks = clocks }).Holds.ShouldBeFalse();
    }

    [Fact]
    public void ProvenInside_OfAWrongWindowThatIsNotProven_AsksOnlyThatEnoughIs()
    {
        var right = Observed.Window(1, 0, 1_000);
        var wrong = Observed.Window(2, 5_000, 1_000);

        Missed(right, wrong with { IsProven = false }).ShouldBeEmpty();
        Missed(right, wrong).ShouldBe(["truth in θ ± E, 2 proven windows"]);
        Missed(right with { IsProven = false }, wrong with { IsProven = false }).ShouldContain("proven, of the time");

        static IEnumerable<string> Missed(params OffsetWindow[] windows) => OffsetChecks
            .ProvenInside(Observed.Of(windows), 0.5).Where(finding => !finding.Holds).Select(finding => finding.What);
    }

    [Fact]
    public void NoSentinel_OfANumberThatMeansNothing_IsMissed()
    {
        var window = Observed.Window(1, 0, 1_000);

        OffsetChecks.NoSentinel(Observed.Of(window)).Holds.ShouldBeTrue();
        OffsetChecks.NoSentinel(Observed.Of(window with { StepErrorNs = (1L << 60) + 1 })).Holds.ShouldBeFalse();
        OffsetChecks.NoSentinel(Observed.Of(window with { OffsetNs = -(1L << 60) })).Holds.ShouldBeFalse();
    }

    [Fact]
    public void OffsetWithin_OfOneBadWindow_IsMissed()
    {
        var good = Observed.Window(1, 10, 1_000);
        var bad = Observed.Window(2, 501, 1_000);

        OffsetChecks.OffsetWithin(Observed.Of(good), 500).Holds.ShouldBeTrue();
        OffsetChecks.OffsetWithin(Observed.Of(good, bad), 500).Holds.ShouldBeFalse();
        OffsetChecks.OffsetWithin(Observed.Of(good, bad with { Probes = 0 }), 500).Holds.ShouldBeTrue();
        OffsetChecks.OffsetWithin(Observed.Of(Observed.Pair), 500).Holds.ShouldBeFalse();
    }

    [Theory]
    [InlineData(-3_000_000, true)]
    [InlineData(-2_600_000, true)]
    [InlineData(3_000_000, false)]
    [InlineData(0, false)]
    public void OffsetWithin_OfAnErrorThatMustBe_AsksForIt(long offset, bool holds)
    {
        var seen = Observed.Of(Observed.Window(1, offset, 17_000_000));

        OffsetChecks.OffsetWithin(seen, 500_000, -3_000_000).Holds.ShouldBe(holds);
    }

    [Theory]
    [InlineData(13_000_000L, true)]
    [InlineData(16_000_000L, true)]
    [InlineData(12_999_999L, false)]
    [InlineData(16_000_001L, false)]
    [InlineData(null, false)]
    public void ErrorBetween_OfAMedian_HasTwoBounds(long? median, bool holds)
    {
        var seen = Observed.Of(Observed.Pair with { Offset = median is { } known ? OffsetOf(known, 0) : null });

        OffsetChecks.ErrorBetween(seen, 13_000_000, 16_000_000).Holds.ShouldBe(holds);
    }

    [Theory]
    [InlineData(11, 13, true)]
    [InlineData(12.1, 13, false)]
    [InlineData(11, 11.9, false)]
    public void SkewInside_OfADriftOf12Ppm_AsksEachWindow(double low, double high, bool holds)
    {
        var window = Observed.Window(1, 0, 1_000) with { SkewLowPpm = low, SkewHighPpm = high };
        var seen = Observed.Of(window with { SkewLowPpm = 0, SkewHighPpm = 20 }, window) with { Clocks = Drifting };

        OffsetChecks.SkewInside(seen, seen.Windows).Holds.ShouldBe(holds);
    }

    [Theory]
    [InlineData(12.9, true)]
    [InlineData(13.1, false)]
    [InlineData(-12.0, false)]
    [InlineData(null, false)]
    public void SkewWithin_OfADriftOf12Ppm_AsksForItsEnd(double? reported, bool holds)
    {
        var seen = Observed.Of(Observed.Pair with { Offset = OffsetOf(0, reported) }) with
        {
            Clocks = Drifting,
            Windows = [Observed.Window(1, 0, 1_000)],
        };

        OffsetChecks.SkewWithin(seen, 1).Holds.ShouldBe(holds);
    }

    private static Finding Inside(Observation seen) => OffsetChecks.TruthInside(seen, seen.Windows, "windows");

    private static PlantedClocks Drifting { get; } =
        new(null, SyntheticClock.Parse("skew=12ppm", anchorNs: 0), 0);

    private static PairOffset OffsetOf(long errorMedianNs, double? skewPpm) => new()
    {
        OffsetNs = 0,
        AtNs = 0,
        ErrorMedianNs = errorMedianNs,
        ErrorWorstNs = errorMedianNs,
        SkewPpm = skewPpm,
        Windows = 1,
    };
}
