using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Tests.Probing;

public sealed class ReplayWindowTests
{
    [Fact]
    public void EachNumber_IsNewOnce_InAnyNearOrder()
    {
        var window = default(ReplayWindow);
        foreach (var number in (long[])[1, 3, 2, 10, 4, 9, 70, 60])
            window.TryTake(number).ShouldBeTrue($"{number}");
        foreach (var number in (long[])[1, 3, 2, 10, 4, 9, 70, 60])
            window.TryTake(number).ShouldBeFalse($"{number}");
    }

    [Theory]
    [InlineData(63, true)]
    [InlineData(64, false)]
    public void Number_OlderThanTheWindow_CountsAsARepetition(long behind, bool isNew)
    {
        var window = default(ReplayWindow);
        window.TryTake(1_000).ShouldBeTrue();

        window.TryTake(1_000 - behind).ShouldBe(isNew);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    public void Numbers_ThatNobodyGives_AreNeverNew(long number) =>
        default(ReplayWindow).TryTake(number).ShouldBeFalse();

    [Fact]
    public void FarJump_ForgetsWhatWasBefore()
    {
        var window = default(ReplayWindow);
        window.TryTake(1).ShouldBeTrue();
        window.TryTake(long.MaxValue).ShouldBeTrue();

        window.TryTake(long.MaxValue).ShouldBeFalse();
        window.TryTake(long.MaxValue - 1).ShouldBeTrue();
        window.TryTake(2).ShouldBeFalse();
    }
}
