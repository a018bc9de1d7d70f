using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class HostClockWatchTests
{
    private const long Second = 1_000_000_000;

    private SystemClockSample? _clocks = new(100 * Second, 90 * Second, 50, 7 * Second);
    private WallClockMapping _mapping = new(100 * Second, 1_700_000_000 * Second, 150);
    private IReadOnlyList<UtcClaim> _claims = [];
    private int _claimsRead;

    [Fact]
    public void Sample_OfASlewedClock_KnowsItsRateWithinItsError()
    {
        using var watch = Watch();
        watch.Status.RatePpm.ShouldBe(double.NaN);

        var status = AfterASecond(watch, slewPpm: 500);

        status.RatePpm.ShouldBe(500, watch.RateErrorPpm);
        watch.RateErrorPpm.ShouldBe(0.1, 0.001);
        watch.EventCount.ShouldBe(0);
    }

    [Fact]
    public void Sample_OfARateThatChanges_TellsTheChangeOnce()
    {
        using var watch = Watch();
        AfterASecond(watch, slewPpm: 0);
        AfterASecond(watch, slewPpm: 0.5);
        watch.EventCount.ShouldBe(0);

        AfterASecond(watch, slewPpm: -100);
        AfterASecond(watch, slewPpm: -100);

        var change = watch.Events.ShouldHaveSingleItem();
        change.Kind.ShouldBe(ClockEventKind.RateChanged);
        change.ChangePpm.ShouldBe(-100.5, 0.01);
    }

    [Fact]
    public void Sample_TooSoonAfterTheLast_KeepsTheRate()
    {
        using var watch = Watch();
        AfterASecond(watch, slewPpm: 20);

        _clocks = _clocks!.Value with { MonotonicNs = _clocks.Value.MonotonicNs + 1_000 };

        watch.Sample().RatePpm.ShouldBe(20, 0.2);
    }

    [Fact]
    public void Sample_AfterASleep_TellsHowLongAndTotalsIt()
    {
        using var watch = Watch();

        foreach (var sleep in new[] { 3 * Second, 100L, 5 * Second })
        {
            _clocks = _clocks!.Value with { AsleepNs = _clocks.Value.AsleepNs + sleep };
            AfterASecond(watch);
        }

        // What a time namespace shifts between the clocks is no sleep, nor is what reading them takes.
        watch.Status.SuspendedNs.ShouldBe((8 * Second) + 100);
        watch.Events.Select(happened => happened.Kind).ShouldBe(
            [ClockEventKind.Suspended, ClockEventKind.Suspended]);
    }

    [Fact]
    public void Sample_AfterTheWallClockWasSet_TellsTheStepOnce()
    {
        using var watch = Watch();
        AfterASecond(watch);
        _mapping = _mapping with { OffsetNs = _mapping.OffsetNs + 200 };
        AfterASecond(watch);
        watch.EventCount.ShouldBe(0);

        _mapping = _mapping with { OffsetNs = _mapping.OffsetNs - 5_000_000 };
        AfterASecond(watch);
        AfterASecond(watch);

        var step = watch.Events.ShouldHaveSingleItem();
        step.Kind.ShouldBe(ClockEventKind.WallClockStepped);
        step.ChangeNs.ShouldBe(-5_000_000);
        watch.Status.UtcOffsetNs.ShouldBe(_mapping.OffsetNs);
    }

    [Fact]
    public void Status_WithClaims_HasTheTightestAcceptedOneGrownToNowAndTheReadingsError()
    {
        _claims =
        [
            UtcClaim.Accept(UtcClaimSource.Kernel, 99 * Second, 30_000_000),
            UtcClaim.Accept(UtcClaimSource.Chrony, 99 * Second, 80_000),
            UtcClaim.Refuse(UtcClaimSource.ClockBound, 99 * Second, "void", 5),
        ];
        using var watch = Watch();

        watch.Status.UtcErrorNs.ShouldBe(80_000 + 50_000 + 150);
    }

    [Fact]
    public void Status_WithoutAnAcceptedClaim_HasNoError()
    {
        _claims = [UtcClaim.Refuse(UtcClaimSource.Kernel, 0, "unsynchronised")];
        using var watch = Watch();

        watch.Status.UtcErrorNs.ShouldBe(-1);
    }

    [Fact]
    public void Sample_OfRefusedClaims_AsksSeldom()
    {
        _claims = [UtcClaim.Refuse(UtcClaimSource.Chrony, 0, "not running")];
        using var watch = Watch();
        for (var second = 0; second < 20; second++)
            AfterASecond(watch);

        _claimsRead.ShouldBe(3);
    }

    [Fact]
    public void Sample_OfAcceptedClaims_AsksEverySecond()
    {
        _claims = [UtcClaim.Accept(UtcClaimSource.Chrony, 0, 80_000)];
        using var watch = Watch();
        for (var second = 0; second < 20; second++)
            AfterASecond(watch);

        _claimsRead.ShouldBe(21);
    }

    [Fact]
    public void Sample_WhereNoClockIsTheCrystals_SaysThatTheRateIsUnknown()
    {
        _clocks = null;
        using var watch = Watch();

        var status = watch.Sample();

        status.RatePpm.ShouldBe(double.NaN);
        status.SuspendedNs.ShouldBe(0);
        watch.RateSource.ShouldStartWith("unknown");
    }

    [Fact]
    public void Sample_OfThisHost_RunsWithinWhatAnyoneSlews()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux shows the crystal's own clock.");
        using var watch = new HostClockWatch();
        Pacer.WaitUntil(watch.Status.SampledAtNs + 600_000_000);

        var status = watch.Sample();

        status.RatePpm.ShouldBeInRange(-100_000, 100_000);
        status.SuspendedNs.ShouldBe(0);
        watch.Claims.Count.ShouldBe(3);
        status.UtcOffsetNs.ShouldBeInRange(0, long.MaxValue);
        watch.Events.ShouldBeEmpty();
    }

    private HostClockWatch Watch() => new(() => _clocks, () => _mapping, () =>
    {
        _claimsRead++;
        return _claims;
    });

    private ClockStatus AfterASecond(HostClockWatch watch, double slewPpm = 0)
    {
        if (_clocks is { } clocks)
        {
            _clocks = clocks with
            {
                MonotonicNs = clocks.MonotonicNs + Second + (long)(slewPpm * 1_000),
                RawNs = clocks.RawNs + Second,
            };
        }

        _mapping = _mapping with { SampledAtNs = _mapping.SampledAtNs + Second };
        return watch.Sample();
    }
}
