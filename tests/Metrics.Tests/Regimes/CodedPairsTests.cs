using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Regimes;

public class CodedPairsTests
{
    private static readonly ClockProbe First = new(0, 1_000_000, 1_010_000, 60_000);

    [Fact]
    public void Pair_WhoseGapIsKept_IsCleanBothWays()
    {
        var pair = new ProbePair(First, new(50_000, 1_050_500, 1_060_000, 110_400));

        CodedPairs.IsCleanForward(pair).ShouldBeTrue();
        CodedPairs.IsCleanBack(pair).ShouldBeTrue();
    }

    [Fact]
    public void Pair_OfWhichOneWaited_IsNotCleanThatWay()
    {
        var pair = new ProbePair(First, new(50_000, 1_090_000, 1_100_000, 150_000));

        CodedPairs.IsCleanForward(pair).ShouldBeFalse();
        CodedPairs.IsCleanBack(pair).ShouldBeTrue();
    }

    [Fact]
    public void Pair_ThatWasSqueezed_IsNotClean() =>
        CodedPairs.IsCleanBack(new(First, new(50_000, 1_050_000, 1_060_000, 61_000))).ShouldBeFalse();
}
