using RedisLatency.Lab.SelfTest;
using RedisLatency.Lab.Worlds;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>A busy machine blunts what can be asked of a result; it never excuses one that is not true.</summary>
public class MachineNoiseTests
{
    private const long Microsecond = 1_000;

    [Fact]
    public void Noise_OfMessagesThatAllTookAsLong_IsNone() => MachineNoise.Of(Seen(slowSeconds: 0)).ShouldBe(0);

    [Fact]
    public void Noise_OfOneSlowMomentInTwenty_IsNone() => MachineNoise.Of(Seen(slowSeconds: 1)).ShouldBe(0);

    [Fact]
    public void Noise_OfManySlowMoments_IsWhatTheyTookLonger() =>
        MachineNoise.Of(Seen(slowSeconds: 5)).ShouldBe(700 * Microsecond);

    [Theory]
    [InlineData(0, false)]
    [InlineData(5, true)]
    public void Error_ThatTheMachineAccountsFor_IsNotAskedFor(int slowSeconds, bool holds)
    {
        var offset = new PairOffset
        {
            OffsetNs = 0,
            AtNs = 0,
            ErrorMedianNs = 500 * Microsecond,
            ErrorWorstNs = 500 * Microsecond,
            Windows = 1,
        };
        var pair = Observed.Pair with { Offset = offset };

        OffsetChecks.ErrorBetween(Seen(slowSeconds) with { Record = Observed.Of(pair).Record }, 0, 100 * Microsecond)
            .Holds.ShouldBe(holds);
    }

    private static Observation Seen(int slowSeconds)
    {
        var messages = Observed.Messages(20, 100 * Microsecond, 70 * Microsecond);
        for (var second = 0; second < slowSeconds; second++)
            messages[second] = messages[second] with { Returned = messages[second].Returned + (700 * Microsecond) };
        return Observed.Of(Observed.Pair) with { Messages = messages };
    }
}
