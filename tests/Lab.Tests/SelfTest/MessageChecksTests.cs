using RedisLatency.Lab.SelfTest;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.Tests.SelfTest;

public class MessageChecksTests
{
    private const long Microsecond = 1_000;

    [Theory]
    [InlineData(100, 50, true)]
    [InlineData(109, 50, true)]
    [InlineData(111, 50, false)]
    [InlineData(89, 50, false)]
    [InlineData(109, 5, false)]
    public void Medians_OfTheSameMessages_DifferByTheBoundAndByEAtMost(long reported, long error, bool holds)
    {
        var pair = Observed.Pair with
        {
            Series =
            [
                Observed.Series("forward", 9, reported * Microsecond, error * Microsecond),
                Observed.Series("back", 9, 70 * Microsecond, error * Microsecond),
            ],
        };
        var seen = Observed.Of(pair) with { Messages = Observed.Messages(9, 100 * Microsecond, 70 * Microsecond) };

        var findings = MessageChecks.Medians(seen, 10 * Microsecond).ToArray();

        findings[0].Holds.ShouldBe(holds);
        findings[1].Holds.ShouldBeTrue();
    }

    [Fact]
    public void Medians_OfNoMessages_AreMissed() =>
        MessageChecks.Medians(Observed.Of(Observed.Pair), Microsecond).ShouldAllBe(finding => !finding.Holds);

    [Theory]
    [InlineData(9, 0, 0, true)]
    [InlineData(6, 2, 1, true)]
    [InlineData(8, 0, 0, false)]
    [InlineData(9, 1, 0, false)]
    public void NothingDropped_OfNineMessages_AsksForEachOfThem(
        long corrected, long uncorrected, long impossible, bool holds)
    {
        var pair = Observed.Pair with
        {
            Series = [Observed.Series("forward", corrected, 1, 1)],
            Uncorrected = uncorrected,
            ImpossibleStamps = impossible,
        };
        var seen = Observed.Of(pair) with { Messages = Observed.Messages(9, 1, 1) };

        MessageChecks.NothingDropped(seen).Holds.ShouldBe(holds);
    }

    [Fact]
    public void NothingDropped_OfNothing_IsMissed() =>
        MessageChecks.NothingDropped(Observed.Of(Observed.Pair)).Holds.ShouldBeFalse();

    [Theory]
    [InlineData(5, 4, 5, "")]
    [InlineData(4, 4, 5, "lost")]
    [InlineData(5, 3, 5, "duplicated")]
    [InlineData(5, 4, 6, "reordered")]
    public void Counts_OfOneTooFewOrTooMany_MissThatOne(long lost, long duplicated, long reordered, string missed)
    {
        var seen = Observed.Of(
            Observed.Pair,
            [
                RecordedMetric.Of(Counted.Lost, lost), RecordedMetric.Of(Counted.Duplicated, duplicated),
                RecordedMetric.Of(Counted.Reordered, reordered),
            ]);

        var misses = MessageChecks.Counts(seen, 5, 4, 5).Where(finding => !finding.Holds);

        string.Join(' ', misses.Select(finding => finding.What)).ShouldBe(missed);
    }

    [Fact]
    public void Exactly_OfNothingReported_IsMissed() => MessageChecks.Exactly("lost", 0, null).Holds.ShouldBeFalse();

    [Theory]
    [InlineData(OneWayGrade.C, OneWayHeadline.RoundTrip, true, true)]
    [InlineData(OneWayGrade.B, OneWayHeadline.RoundTrip, false, true)]
    [InlineData(OneWayGrade.D, OneWayHeadline.OneWay, true, false)]
    [InlineData(null, OneWayHeadline.RoundTrip, false, true)]
    public void Judgement_OfAGradeAndAHeadline_AsksForBoth(
        OneWayGrade? grade, OneWayHeadline headline, bool gradeHolds, bool headlineHolds)
    {
        var seen = Observed.Of(Observed.Pair with { Grade = grade, Headline = headline });

        var findings = MessageChecks.Judgement(seen, OneWayHeadline.RoundTrip, OneWayGrade.C, OneWayGrade.D);

        findings.Select(finding => finding.Holds).ShouldBe([gradeHolds, headlineHolds]);
    }

    [Theory]
    [InlineData(5_000_000, true)]
    [InlineData(7_000_000, true)]
    [InlineData(7_100_000, false)]
    [InlineData(2_900_000, false)]
    public void MeanIs_OfADirection_AllowsEAndWhatTheMachineAdds(long mean, bool holds)
    {
        var seen = Observed.Of(Observed.Pair with { Series = [Observed.Series("forward", 9, mean, 1_000_000)] });

        MessageChecks.MeanIs(seen, "forward", 5_000_000, 1_000_000).Holds.ShouldBe(holds);
    }

    [Fact]
    public void MeanIs_OfNoDirection_IsMissed() =>
        MessageChecks.MeanIs(Observed.Of(Observed.Pair), "forward", 5, 1).Holds.ShouldBeFalse();
}
