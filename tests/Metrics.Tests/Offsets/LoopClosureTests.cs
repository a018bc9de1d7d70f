using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Metrics.Tests.Offsets;

public class LoopClosureTests
{
    [Fact]
    public void Residual_OfTrueOffsets_IsNothing()
    {
        MeasuredOffset[] offsets = [new(0, 1, 1e12, 10), new(1, 2, -3e11, 20), new(0, 2, 7e11, 30)];

        var loop = LoopClosure.Residual(offsets, [0, 1, 2]);

        loop.ResidualNs.ShouldBe(0);
        loop.BoundNs.ShouldBe(60);
        loop.IsWithinBound.ShouldBeTrue();
    }

    [Fact]
    public void Residual_OfAFalseBound_IsBeyondTheBound()
    {
        MeasuredOffset[] offsets = [new(0, 1, 100, 10), new(1, 2, 100, 10), new(2, 0, -300, 10)];

        var loop = LoopClosure.Residual(offsets, [0, 1, 2]);

        loop.ResidualNs.ShouldBe(-100);
        loop.IsWithinBound.ShouldBeFalse();
    }

    [Fact]
    public void Residual_OfAnAsymmetricPath_ShowsHalfOfItsAsymmetry()
    {
        // 14 ms one way and 20 ms the other: the midpoint of the pair is 3 ms off, and no probe of it can tell.
        MeasuredOffset[] offsets = [new(0, 1, -3e6, 17e6), new(1, 2, 0, 1e6), new(2, 0, 0, 1e6)];

        LoopClosure.Residual(offsets, [0, 1, 2]).ResidualNs.ShouldBe(-3e6);
    }

    [Fact]
    public void CyclicDelay_OfClocksFarApart_IsTheSumOfTheDelays()
    {
        // Clocks at 0, +1,000,000 and -5,000; delays of 10, 20 and 30; each host keeps the message for 7.
        LoopClosure.CyclicDelayNs([(0, 1_000_010), (1_000_017, -5_000 + 37), (-5_000 + 44, 74)]).ShouldBe(60);
    }

    [Fact]
    public void Spread_OfOffsetsThatFit_ReturnsThem() =>
        LoopClosure.Spread(4, [new(0, 1, 5, 1), new(1, 2, 6, 1), new(2, 3, 7, 1), new(3, 0, -18, 1)])
            .ShouldBe([0, 5, 11, 18], 1e-9);

    [Fact]
    public void Spread_OfAResidual_GivesMostToTheLeastCertain()
    {
        var spread = LoopClosure.Spread(3, [new(0, 1, 0, 1), new(1, 2, 0, 1), new(0, 2, 102, 10)]);

        spread[1].ShouldBe(1, 1e-9);
        spread[2].ShouldBe(2, 1e-9);
    }

    [Fact]
    public void Spread_OverTwoThatNothingJoins_IsRefused() =>
        Should.Throw<ArgumentException>(() => LoopClosure.Spread(4, [new(0, 1, 1, 1), new(2, 3, 1, 1)]))
            .Message.ShouldContain("host 3");

    [Fact]
    public void Residual_OfTwoHosts_IsRefused() =>
        Should.Throw<ArgumentException>(() => LoopClosure.Residual([new(0, 1, 1, 1)], [0, 1]));
}
