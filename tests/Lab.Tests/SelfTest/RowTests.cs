using RedisLatency.Lab.Links;
using RedisLatency.Lab.SelfTest;
using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>What a row asks for beside the checks that all rows share.</summary>
public class RowTests
{
    private const long Millisecond = 1_000_000;

    [Fact]
    public void Rows_AreCalledEachByANameOfItsOwn() =>
        RowCatalogue.All.Select(row => row.Name).ShouldBeUnique();

    [Fact]
    public void Worlds_HaveTheNamesOfTheirRows() =>
        RowCatalogue.All.ShouldAllBe(row => row.World(TimeSpan.FromSeconds(10)).Name == row.Name);

    [Fact]
    public void Rows_OfWhichNothingWasReported_AreMissed()
    {
        var totals = new LinkTotals(next: null);
        var nothing = Observed.Of(Observed.Pair) with { Link = totals, ProbeLink = totals };

        // The row of the step asks when it was.
        foreach (var row in RowCatalogue.All.Where(row => row.Name != "step"))
            Misses(row.Name, nothing).ShouldContain(what => what.StartsWith("truth in θ ± E, 0 "), row.Name);
    }

    /// <summary>On longer ways its interval is what is assumed of crystals, which no drift of theirs can leave.</summary>
    [Fact]
    public void Drift_BesideItsInterval_IsMissedWhereTheWaysAreShort_AndAskedNowhereElse()
    {
        var totals = new LinkTotals(next: null);
        var seen = Observed.Of(Observed.Window(1, 0, 1_000) with { SkewLowPpm = 5, SkewHighPpm = 6 }) with
        {
            Link = totals,
            ProbeLink = totals,
        };

        // The row of the step asks when it was.
        RowCatalogue.All.Where(row => row.Name != "step")
            .Where(row => Misses(row.Name, seen).Contains("drift inside its interval")).Select(row => row.Name)
            .ShouldBe(["direct", "walk", "slew", "rate-change", "fast-crystal", "faults", "residence", "false-claim"]);
        RowCatalogue.All.Where(row => row.Name != "step")
            .Where(row => Findings(row.Name, seen).Any(finding => finding.What == "drift inside its interval"))
            .Count().ShouldBe(8);
    }

    [Fact]
    public void FalseClaim_ThatWasRefutedEverywhere_Holds() =>
        Misses("false-claim", FalseClaim(refuted: 2, OneWayGrade.F)).ShouldBeEmpty();

    [Fact]
    public void FalseClaim_ThatWasTrusted_IsMissed()
    {
        var misses = Misses("false-claim", FalseClaim(refuted: 0, OneWayGrade.A, isValid: true));

        misses.ShouldBe(["claims refuted by the probes", "grade", "valid", "windows with a contradiction"]);
    }

    [Fact]
    public void Negatives_ThatAreKept_Hold() =>
        Misses("negatives", Negatives(count: 5_000, negatives: 5_000, min: -10 * Millisecond)).ShouldBeEmpty();

    [Fact]
    public void Negatives_ThatAreDropped_AreMissed()
    {
        Misses("negatives", Negatives(count: 0, negatives: 0, min: null))
            .ShouldBe(["messages of forward", "negative ones: kept and counted", "forward, min"]);
        Misses("negatives", Negatives(count: 5_000, negatives: 0, min: 0))
            .ShouldBe(["negative ones: kept and counted", "forward, min"]);
    }

    [Theory]
    [InlineData(300, true)]
    [InlineData(2, false)]
    public void Stall_ThatIsNotInTheMaximum_IsMissed(long reported, bool holds)
    {
        StampedMessage[] messages =
            [.. Observed.Messages(99, 2 * Millisecond, 2 * Millisecond), .. Observed.Messages(1, 300 * Millisecond, 0)];
        var seen = Observed.Of(Observed.Pair with
        {
            Series =
            [
                Observed.Series("forward", 100, 2 * Millisecond, 2 * Millisecond) with
                {
                    Max = reported * Millisecond,
                },
            ],
        });

        var misses = Misses("stall", seen with { Messages = messages });

        misses.Contains("forward, max: the stall, within E").ShouldBe(!holds);
    }

    [Theory]
    [InlineData(-3, 34, true)]
    [InlineData(-6, 1, false)]
    [InlineData(-3, 1, false)]
    [InlineData(40, 34, false)]
    public void Asymmetry_ThatPretendsToBeKnown_IsMissed(long forwardMinusBack, long error, bool holds)
    {
        var pair = Observed.Pair with
        {
            Asymmetry = new PathAsymmetry(forwardMinusBack * Millisecond, error * Millisecond, 17 * Millisecond),
        };
        var seen = Observed.Of(pair) with { Messages = Observed.Messages(9, 14 * Millisecond, 20 * Millisecond) };

        Misses("asymmetric", seen).Contains("there less back, not known").ShouldBe(!holds);
    }

    [Theory]
    [InlineData("udp 127.0.0.1:7000", true)]
    [InlineData("echo", false)]
    public void Probes_ThatDidNotGoOverUdp_AreMissed(string lane, bool holds)
    {
        var totals = new LinkTotals(next: null);
        totals.Forward.Given.Record(2 * Millisecond);
        var seen = Observed.Of(Observed.Pair with { Probes = new ProbeCounts { Answered = 1, Lanes = [lane] } }) with
        {
            ProbeLink = totals,
            Messages = Observed.Messages(9, 14 * Millisecond, 20 * Millisecond),
        };

        Misses("udp", seen).Contains("probes answered over UDP").ShouldBe(!holds);
    }

    private static string[] Misses(string row, Observation seen) =>
        [.. Findings(row, seen).Where(finding => !finding.Holds).Select(finding => finding.What)];

    private static IEnumerable<Finding> Findings(string row, Observation seen) =>
        RowCatalogue.All.Single(one => one.Name == row).Check(seen);

    private static Observation FalseClaim(long refuted, OneWayGrade grade, bool isValid = false)
    {
        var claim = new ClockClaim
        {
            Name = "same clock",
            Source = "p, c",
            IsAccepted = true,
            Reason = "one boot",
            ContradictedWindows = refuted,
        };
        var offset = new PairOffset
        {
            OffsetNs = 0,
            AtNs = 0,
            ErrorMedianNs = 20_000,
            ErrorWorstNs = 30_000,
            Windows = 2,
            ContradictedWindows = refuted,
        };
        var pair = Observed.Pair with
        {
            Claims = [claim],
            Grade = grade,
            Headline = OneWayHeadline.RoundTrip,
            Offset = offset,
        };
        return Observed.Of(pair, isValid: isValid) with
        {
            Windows = [Observed.Window(1, 0, 20_000), Observed.Window(2, 0, 20_000)],
        };
    }

    private static Observation Negatives(long count, long negatives, long? min)
    {
        var forward = Observed.Series("forward", count, min ?? 0, 10 * Millisecond) with
        {
            Min = min,
            Negatives = negatives,
        };
        return Observed.Of(
            Observed.Pair with { Series = [forward] }, [RecordedMetric.Of(Counted.Sent, 5_000)]) with
        {
            Windows = [Observed.Window(1, 10 * Millisecond, 10_010_000)],
        };
    }
}
