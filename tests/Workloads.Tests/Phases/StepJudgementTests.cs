using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

public class StepJudgementTests
{
    private const double Limit = 1_000_000;

    [Theory]
    [InlineData(900_000, 850_000, 950_000, StepOutcome.Held)]
    [InlineData(990_000, 950_000, 1_010_000, StepOutcome.Unsure)]
    [InlineData(1_010_000, 950_000, 1_050_000, StepOutcome.Unsure)]
    [InlineData(1_200_000, 1_000_000, 1_500_000, StepOutcome.Missed)]
    internal void Interval_BelowTheLimit_Holds_AndOneAroundItIsNotSure(
        long value, long lower, long upper, StepOutcome expected) =>
        StepJudgement.Judge(new PercentileRow(99, value, lower, upper), Limit, 0).Outcome.ShouldBe(expected);

    [Theory]
    [InlineData(400_000, StepOutcome.Held)]
    [InlineData(900_000, StepOutcome.Unsure)]
    [InlineData(1_900_000, StepOutcome.Unsure)]
    [InlineData(2_000_000, StepOutcome.Missed)]
    internal void WithoutAnInterval_OnlyWhatIsClearOfTheLimitIsDecided(long value, StepOutcome expected) =>
        StepJudgement.Judge(
            new PercentileRow(99, value, null, null) { UnknownInterval = UnknownInterval.NotStationary }, Limit, 300_000)
            .Outcome.ShouldBe(expected);

    [Theory]
    [InlineData(UnknownPercentile.MissingSamples, StepOutcome.Missed)]
    [InlineData(UnknownPercentile.TooFewSamples, StepOutcome.Unsure)]
    internal void Percentile_ThatIsNotKnown_NeverHolds(UnknownPercentile why, StepOutcome expected) =>
        StepJudgement.Judge(new PercentileRow(99, null, null, null) { Unknown = why }, Limit, null)
            .Outcome.ShouldBe(expected);

    [Fact]
    public void WithoutAnInterval_WhatMostTookLongerThan_IsMissed() =>
        StepJudgement.Judge(
            new PercentileRow(99, 1_300_000, null, null) { UnknownInterval = UnknownInterval.Swings }, Limit, 1_000_001)
            .Outcome.ShouldBe(StepOutcome.Missed);
}
