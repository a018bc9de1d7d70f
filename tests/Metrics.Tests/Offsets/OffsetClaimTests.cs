using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

public class OffsetClaimTests
{
    private const long Second = ProbeScript.Second;

    private readonly ProbeScript _script = new(at => 5e6 + (at * 3e-6)) { ForwardNs = 14_000_000, BackNs = 15_000_000 };

    [Fact]
    public void Claim_ThatAgrees_NarrowsTheBound()
    {
        var windows = Track(new OffsetAssumptions(), Utc(10 * Second, 4_900_000, 5_200_000));

        windows[10].ErrorNs.ShouldBeLessThan(300_000);
        windows[10].IsProven.ShouldBeTrue();
        windows[10].Claims.ShouldHaveSingleItem().Agrees.ShouldBeTrue();
        windows[10].ProbeHighNs.ShouldBeGreaterThan(windows[10].OffsetNs + 13_000_000);
        windows.SelectMany(_script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Claim_GrowsByTheDriftAwayFromItsTime()
    {
        var windows = Track(new OffsetAssumptions(), Utc(10 * Second, 4_900_000, 5_200_000));

        windows[15].ErrorNs.ShouldBeInRange(windows[10].ErrorNs + 300_000, windows[10].ErrorNs + 700_000);
    }

    [Fact]
    public void Claim_ThatTheProbesRefute_IsNamedAndTheProbesAloneCount()
    {
        var windows = Track(new OffsetAssumptions(),
            Utc(10 * Second, 100_000_000, 101_000_000) with { Name = "chrony" }, Utc(10 * Second, 4_900_000, 5_200_000));

        windows.ShouldAllBe(window => window.IsContradicted && !window.IsProven);
        windows[10].Claims.ShouldContain(claim => claim.Name == "chrony" && !claim.Agrees);
        windows[10].Claims.ShouldContain(claim => claim.Name == "utc" && claim.Agrees);
        windows[10].ErrorNs.ShouldBeGreaterThan(14_000_000);
        windows.SelectMany(_script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Claims_OfWhichOneLeavesTheMajority_NameThatOne()
    {
        var windows = Track(new OffsetAssumptions(), Utc(10 * Second, 4_900_000, 5_200_000),
            Utc(10 * Second, 5_000_000, 5_300_000) with { Name = "ptp" },
            Utc(10 * Second, 9_000_000, 9_000_100) with { Name = "mesh", Kind = OffsetClaimKind.Mesh });

        windows[10].IsContradicted.ShouldBeTrue();
        windows[10].Claims.Where(claim => !claim.Agrees).ShouldHaveSingleItem().Name.ShouldBe("mesh");
    }

    [Fact]
    public void Claim_IsIgnoredWhereClaimsAreNotUsed()
    {
        var windows = Track(new OffsetAssumptions { UsesClaims = false }, Utc(10 * Second, 4_900_000, 5_200_000));

        windows[10].Claims.ShouldBeEmpty();
        windows[10].ErrorNs.ShouldBeGreaterThan(14_000_000);
    }

    [Fact]
    public void Claim_OfOneClock_DoesNotAge()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new OffsetClaim("same clock", OffsetClaimKind.SameClock, 0, -30, 30));
        script.Run(tracker, 0, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        windows.ShouldAllBe(window => window.ErrorNs <= 32 && window.ErrorAt(window.EndNs + Second) <= 32);
        windows.ShouldAllBe(window => window.SkewPpm == 0 && window.SkewLowPpm == 0 && window.SkewHighPpm == 0);
    }

    [Fact]
    public void Claim_OfOneClockThatDrifts_IsRefuted()
    {
        var script = new ProbeScript(at => at * 20e-6);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new OffsetClaim("same clock", OffsetClaimKind.SameClock, 0, -1_000_000_000, 1_000_000_000));
        script.Run(tracker, 0, 40 * Second);

        var windows = ProbeScript.Take(tracker, 40 * Second);

        windows[20].IsContradicted.ShouldBeTrue();
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Claim_OfOneClockByMachinesOfOneSnapshot_IsRefuted()
    {
        var script = new ProbeScript(_ => 3e9);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new OffsetClaim("same clock", OffsetClaimKind.SameClock, 0, -30, 30));
        script.Run(tracker, 0, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        windows.ShouldAllBe(window => window.IsContradicted);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Claim_FromBeforeAStep_SaysNothingAfterIt()
    {
        var script = new ProbeScript(at => at < 10 * Second ? 0 : 400e6);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(Utc(5 * Second, -10_000, 10_000));
        script.Run(tracker, 0, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        windows.ShouldAllBe(window => !window.IsContradicted);
        windows[5].Claims.ShouldHaveSingleItem();
        windows[^2].Claims.ShouldBeEmpty();
    }

    [Fact]
    public void Claim_ThatEndsBeforeItBegins_IsRefused() =>
        Should.Throw<ArgumentException>(() => new OffsetTracker(new OffsetAssumptions()).Add(Utc(0, 2, 1)))
            .Message.ShouldContain("utc");

    private static OffsetClaim Utc(long at, long low, long high) => new("utc", OffsetClaimKind.Utc, at, low, high);

    private List<OffsetWindow> Track(OffsetAssumptions assumptions, params OffsetClaim[] claims)
    {
        var tracker = new OffsetTracker(assumptions);
        foreach (var claim in claims)
            tracker.Add(claim);
        _script.Run(tracker, 0, 20 * Second);
        return ProbeScript.Take(tracker, 20 * Second);
    }
}
