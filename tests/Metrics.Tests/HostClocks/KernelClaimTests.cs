using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class KernelClaimTests
{
    private static readonly KernelClock Synchronised = new(0, 0x2001, 31_250, 40, null);

    [Fact]
    public void Judge_OfASynchronisedClock_AcceptsItsMaximumError()
    {
        var claim = KernelClaim.Judge(Synchronised, 77);

        claim.IsAccepted.ShouldBeTrue();
        claim.ErrorNs.ShouldBe(31_250_000);
        claim.SampledAtNs.ShouldBe(77);
    }

    [Theory]
    [InlineData(5, 0x2001, 100, 40, "not synchronised")]
    [InlineData(0, 0x2041, 100, 40, "not synchronised")]
    [InlineData(0, 0x2001, 0, 0, "systemd-timesyncd")]
    [InlineData(0, 0x2001, 500, 0, "systemd-timesyncd")]
    [InlineData(0, 0x2001, 1_000_000, 40, "1 s is too large to be a bound")]
    [InlineData(5, 0x40, 16_000_000, 16_000_000, "not synchronised")]
    public void Judge_OfAClockThatBoundsNothing_RefusesWithTheReason(
        int state, int status, long maximum, long estimated, string reason)
    {
        var claim = KernelClaim.Judge(new KernelClock(state, status, maximum, estimated, null), 0);

        claim.IsAccepted.ShouldBeFalse();
        claim.Refusal.ShouldNotBeNull().ShouldContain(reason);
    }

    [Fact]
    public void Judge_WhereTheCallIsDenied_RefusesWithTheReason() =>
        KernelClaim.Judge(KernelClock.Failed("adjtimex is denied here"), 0).Refusal.ShouldBe("adjtimex is denied here");

    [Fact]
    public void Read_OfThisMachine_IsSomeStateOfItsClock()
    {
        var clock = KernelClock.Read();

        if (clock.Failure is not null)
        {
            clock.State.ShouldBe(-1);
            return;
        }

        // Whatever this machine does, the fields are where the layout says.
        clock.State.ShouldBeInRange(0, 5);
        clock.MaximumErrorUs.ShouldBeInRange(0, 16_000_000);
        clock.EstimatedErrorUs.ShouldBeInRange(0, 16_000_000);
        ((clock.Status & 0x40) != 0).ShouldBe(clock.State == 5);
    }

    [Theory]
    [InlineData(0, 1_000)]
    [InlineData(1_000_000_000, 51_000)]
    [InlineData(-1_000_000_000, 51_000)]
    public void ErrorAt_AwayFromTheSample_GrowsByTheDrift(long awayNs, long errorNs) =>
        UtcClaim.Accept(UtcClaimSource.Kernel, 5, 1_000).ErrorAt(5 + awayNs).ShouldBe(errorNs);
}
