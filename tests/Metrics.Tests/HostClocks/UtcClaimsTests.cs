using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Tests.Machine;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class UtcClaimsTests
{
    [Fact]
    public void Read_OfThisHost_HasOneClaimOfEverySourceAndAReasonForEveryRefusal()
    {
        using var sources = new UtcClaims();

        var claims = sources.Read();

        claims.Select(claim => claim.Source).ShouldBe(Enum.GetValues<UtcClaimSource>());
        claims.ShouldAllBe(claim => claim.IsAccepted ? claim.ErrorNs > 0 : claim.Refusal!.Length > 0);
    }

    [Fact]
    public void Read_OfAHostWithoutAnything_RefusesEachWithItsOwnReason()
    {
        using var host = new HostFixture();
        using var silent = new ChronyResponder(_ => null);
        silent.Close();
        using var sources = new UtcClaims(
            () => KernelClock.Failed("denied"),
            new ChronyTracking(silent.Port, host.Root),
            new ClockBoundSegment(new HostFiles(host.Root)));

        var reasons = sources.Read().Select(claim => claim.Refusal).ToArray();

        reasons[0].ShouldBe("denied");
        reasons[1].ShouldNotBeNull().ShouldContain("chronyd is not running");
        reasons[2].ShouldBe("ClockBound is not running");
    }
}
