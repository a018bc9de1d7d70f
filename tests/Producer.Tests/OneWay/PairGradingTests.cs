using RedisLatency.Producer.OneWay;
using RedisLatency.Producer.Tests.Measuring;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.Tests.OneWay;

public class PairGradingTests
{
    [Theory]
    [InlineData(0.04, OneWayGrade.A, OneWayHeadline.OneWay)]
    [InlineData(0.06, OneWayGrade.B, OneWayHeadline.OneWay)]
    [InlineData(0.24, OneWayGrade.B, OneWayHeadline.OneWay)]
    [InlineData(0.26, OneWayGrade.C, OneWayHeadline.RoundTrip)]
    [InlineData(0.99, OneWayGrade.C, OneWayHeadline.RoundTrip)]
    [InlineData(1.01, OneWayGrade.D, OneWayHeadline.RoundTrip)]
    public void Grade_FollowsTheBoundAgainstTheSmallerMedian(
        double share, OneWayGrade grade, OneWayHeadline headline)
    {
        var graded = PairGrading.Grade(SamplePair.With((long)(share * SamplePair.SmallerMedianNs)));

        graded.Grade.ShouldBe(grade);
        graded.Headline.ShouldBe(headline);
        graded.Reasons.Single().ShouldContain("of the smaller median");
    }

    [Fact]
    public void Grade_OfARefutedClaim_IsFAndNamesClaimAndHosts()
    {
        var pair = SamplePair.With(1_000);
        pair = pair with { Claims = [pair.Claims[0] with { ContradictedWindows = 3 }, pair.Claims[1]] };

        var graded = PairGrading.Grade(pair);

        graded.Grade.ShouldBe(OneWayGrade.F);
        graded.Headline.ShouldBe(OneWayHeadline.RoundTrip);
        graded.Reasons.ShouldContain("The claim utc of eu-1 by chrony, us-1 by chrony is false: the probes refute it in "
            + "3 of 20 windows.");
    }

    [Fact]
    public void Grade_OfNegativesBeyondTheBound_IsF()
    {
        var pair = SamplePair.With(1_000);
        pair = pair with { Series = [pair.Series[1] with { Negatives = 5, NegativesBeyondError = 2 }, pair.Series[2]] };

        var graded = PairGrading.Grade(pair);

        graded.Grade.ShouldBe(OneWayGrade.F);
        graded.Reasons.ShouldContain(reason => reason.StartsWith("2 values of forward are negative by more than E"));
    }

    [Fact]
    public void Grade_OfNegativesWithinTheBound_IsNotF()
    {
        var pair = SamplePair.With(1_000);
        pair = pair with { Series = [pair.Series[1] with { Negatives = 5 }, pair.Series[2]] };

        PairGrading.Grade(pair).Grade.ShouldBe(OneWayGrade.A);
    }

    [Fact]
    public void Grade_OfContradictingProbes_IsF()
    {
        var pair = SamplePair.With(1_000);

        PairGrading.Grade(pair with { Probes = pair.Probes with { Contradicting = 1 } }).Grade.ShouldBe(OneWayGrade.F);
        PairGrading.Grade(pair with { Probes = pair.Probes with { Impossible = 1 } }).Grade.ShouldBe(OneWayGrade.F);
    }

    [Theory]
    [InlineData(39_000_000, true)]
    [InlineData(38_000_000, false)]
    public void Grade_OfARoundTripBelowBothFloors_BlamesTheFloorsAndNoClock(long floorNs, bool isRefuted)
    {
        var pair = SamplePair.With(1_000);
        pair = pair with
        {
            Assumptions = [new("forward-floor", floorNs, "ns", "."), new("back-floor", floorNs, "ns", ".")],
            Probes = pair.Probes with { Contradicting = 9 },
            Claims = [pair.Claims[0] with { ContradictedWindows = 3 }],
        };

        var graded = PairGrading.Grade(pair);

        graded.Grade.ShouldBe(OneWayGrade.F);
        (PairGrading.FloorFault(graded) is not null).ShouldBe(isRefuted);
        (graded.Offset is null).ShouldBe(isRefuted);
        if (!isRefuted)
            return;
        graded.Reasons.ShouldBe(["There were round trips shorter than both floors: --floor-time or --floor-distance is "
            + "wrong. Together they are 78.00 ms, and the shortest took 77.00 ms."]);
        (graded.Probes.Contradicting, graded.Claims[0].ContradictedWindows).ShouldBe((0, 0));
        var summary = SampleRun.On("a:1").Summaries[0] with { OneWay = [graded] };
        OneWayVerdict.Faults([summary]).ShouldHaveSingleItem().ShouldContain("shorter than both floors");
        OneWayVerdict.Notes([summary]).ShouldBeEmpty();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Verdict_OfAContradiction_IsNotValidWhereThereIsNoRoundTripBesides(bool hasEcho)
    {
        var pair = SamplePair.With(1_000);
        pair = pair with
        {
            Probes = pair.Probes with { Contradicting = 9 },
            Series = [.. pair.Series.Where(series => hasEcho || series.Name == OneWayMetrics.Forward.Name)],
        };
        var graded = PairGrading.Grade(pair);
        var summary = SampleRun.On("a:1").Summaries[0] with { OneWay = [graded] };
        if (!hasEcho)
            summary = summary with { Metrics = [] };

        OneWayVerdict.Faults([summary]).Count().ShouldBe(hasEcho ? 0 : 1);
        OneWayVerdict.Notes([summary]).Count().ShouldBe(hasEcho ? 1 : 0);
        graded.Reasons[^1].ShouldEndWith(hasEcho ? "the round trip is the headline." : "there is no round trip.");
    }

    [Fact]
    public void Grade_OfANegativeMedian_IsD()
    {
        var pair = SamplePair.With(1_000_000);
        pair = pair with { Series = [SamplePair.SeriesOf("forward", -500_000, 1_000_000), pair.Series[2]] };

        var graded = PairGrading.Grade(pair);

        graded.Grade.ShouldBe(OneWayGrade.D);
        graded.Headline.ShouldBe(OneWayHeadline.RoundTrip);
    }

    [Fact]
    public void Grade_WithoutMessages_IsNone()
    {
        var graded = PairGrading.Grade(SamplePair.With(1_000) with { Series = [] });

        graded.Grade.ShouldBeNull();
        graded.Headline.ShouldBe(OneWayHeadline.RoundTrip);
    }
}
