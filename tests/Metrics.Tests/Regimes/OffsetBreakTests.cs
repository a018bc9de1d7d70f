using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Metrics.Tests.Offsets;

namespace RedisLatency.Metrics.Tests.Regimes;

public class OffsetBreakTests
{
    private const long Second = ProbeScript.Second;

    [Theory]
    [InlineData(5e6)]
    [InlineData(-3e6)]
    [InlineData(-4e12)]
    public void Step_IsAWindowOfItsOwnThatCoversBothSides(double byNs)
    {
        var at = (10 * Second) + 123_456_789;
        var script = new ProbeScript(now => 7e9 + (now * 5e-6) + (now < at ? 0 : byNs));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        var step = windows.Where(window => window.Break == OffsetBreak.Step).ShouldHaveSingleItem();
        at.ShouldBeInRange(step.StartNs, step.EndNs);
        (step.EndNs - step.StartNs).ShouldBeLessThan(20_000_000);
        Math.Abs(step.StepNs - byNs).ShouldBeLessThanOrEqualTo(step.StepErrorNs.ShouldNotBeNull());
        step.StepErrorNs!.Value.ShouldBeLessThan(100_000);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
        tracker.Totals.Steps.ShouldBe(1);
        tracker.Totals.Contradicting.ShouldBe(0);
    }

    [Fact]
    public void Slew_WhileNoProbeCame_IsNoStep()
    {
        const double rate = 30e-3;
        var script = new ProbeScript(now => rate * Math.Clamp(now - (10 * Second), 0, 4 * Second));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 10 * Second);
        for (var at = 10 * Second; at < 22 * Second; at += Second)
        {
            tracker.SetRate(ClockSide.Producer, at, 0);
            tracker.SetRate(ClockSide.Consumer, at, at is > 10 * Second and <= 14 * Second ? rate * 1e6 : 0);
        }

        script.Run(tracker, 22 * Second, 32 * Second);

        var windows = ProbeScript.Take(tracker, 32 * Second);

        tracker.Totals.Steps.ShouldBe(0);
        tracker.Totals.Contradicting.ShouldBe(0);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Slew_ThatBeginsAfterTheLastSamples_StaysInTheBound()
    {
        const long last = (9 * Second) + (Second / 2);
        var script = new ProbeScript(now => 400e-6 * Math.Max(0, now - last));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, last);

        tracker.KnowsRates(last).ShouldBeFalse();
        var windows = ProbeScript.Take(tracker, last + (Second * 2 / 5));

        windows[^1].IsBounded.ShouldBeTrue();
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Step_NearAnAnnouncedSuspension_HasItsCause()
    {
        var script = new ProbeScript(now => now < 10 * Second ? 0 : -2e9);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 11 * Second);
        tracker.AnnounceSuspension(9 * Second, (10 * Second) + 500_000_000);
        script.Run(tracker, 11 * Second, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        var cause = windows.Where(window => window.Break is not OffsetBreak.None and not OffsetBreak.Start);
        cause.ShouldHaveSingleItem().Break.ShouldBe(OffsetBreak.Suspended);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Suspension_ThatNoProbeCanSee_BreaksTheLineAllTheSame()
    {
        // 35 us: more than either path, less than both together, so that no probe contradicts another.
        var script = new ProbeScript(now => now < 10 * Second ? 0 : 35e3);
        var tracker = new OffsetTracker(new OffsetAssumptions { WanderPpm = 0.01 });
        script.Run(tracker, 0, 11 * Second);
        tracker.AnnounceSuspension((10 * Second) - 100_000_000, (10 * Second) + 100_000_000);
        script.Run(tracker, 11 * Second, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        windows.Where(window => window.Break == OffsetBreak.Suspended).ShouldHaveSingleItem();
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void TwoGarbageEchoesThatAgree_AreNoStep()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 10 * Second);
        tracker.Add(Garbage(10 * Second));
        tracker.Add(Garbage((10 * Second) + 1_000_000));
        script.Run(tracker, (10 * Second) + 2_000_000, 20 * Second);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        tracker.Totals.Steps.ShouldBe(0);
        tracker.Totals.Contradicting.ShouldBe(2);
        windows[10].Contradicting.ShouldBe(2);
        windows[10].IsProven.ShouldBeFalse();
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void OneGarbageEchoThatComesFiveTimes_IsNoStep()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 10 * Second);
        for (var copy = 0; copy < 5; copy++)
            tracker.Add(Garbage(10 * Second) with { ReturnedNs = (10 * Second) + 500_000 + copy });
        script.Run(tracker, (10 * Second) + 2_000_000, 20 * Second);
        tracker.Complete(20 * Second);

        tracker.Totals.Steps.ShouldBe(0);
        tracker.Totals.Contradicting.ShouldBe(5);
    }

    [Fact]
    public void RateThatChanges_IsNamedOnceAndTheBoundHolds()
    {
        var script = new ProbeScript(now => now < 30 * Second ? 0 : Math.Min(now - (30 * Second), 20 * Second) * 300e-6);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        for (var second = 0L; second < 70; second++)
        {
            script.Run(tracker, second * Second, (second + 1) * Second, samplesRates: false);
            tracker.SetRate(ClockSide.Producer, (second + 1) * Second, 0);
            tracker.SetRate(ClockSide.Consumer, (second + 1) * Second, second is >= 30 and < 50 ? 300 : 0);
        }

        var windows = ProbeScript.Take(tracker, 70 * Second);

        windows.Count(window => window.Break == OffsetBreak.RateChange).ShouldBe(2);
        windows.ShouldAllBe(window => window.Break != OffsetBreak.NotLinear && window.Break != OffsetBreak.Step);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
        windows[40].SkewPpm.ShouldBe(300, 10);
        windows[67].SkewPpm.ShouldBe(0, 10);
    }

    [Fact]
    public void RateThatChangesUnsampled_IsSaidToBeNotLinear()
    {
        // 40 ppm is within the drift bound, so that no probe contradicts another: only the line breaks.
        var script = new ProbeScript(now => now < 30 * Second ? 0 : (now - (30 * Second)) * 40e-6);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 60 * Second);

        var windows = ProbeScript.Take(tracker, 60 * Second);

        var bent = windows.Where(window => window.Break == OffsetBreak.NotLinear).ShouldHaveSingleItem();
        bent.StartNs.ShouldBeInRange(24 * Second, 31 * Second);
        windows.Where(window => window.StartNs >= bent.StartNs).SelectMany(script.Misses).ShouldBeEmpty();
        windows[55].SkewPpm.ShouldBe(40, 5);
        tracker.Totals.Steps.ShouldBe(0);
    }

    [Fact]
    public void LongTimeWithoutProbes_IsFewWindowsWithAGrowingBound()
    {
        var script = new ProbeScript(now => 1e6 + (now * 2e-6));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 10 * Second);
        script.Run(tracker, 100_000 * Second, 100_010 * Second);

        var windows = ProbeScript.Take(tracker, 100_010 * Second);

        windows.Count.ShouldBeLessThan(100);
        windows.Where(window => window.Break == OffsetBreak.Gap).ShouldHaveSingleItem()
            .StartNs.ShouldBe(100_000 * Second);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
        windows.Max(window => window.ErrorNs).ShouldBeGreaterThan(2 * Second);
    }

    [Fact]
    public void ProducerClockThatGoesBack_IsAStepOfTheOffset()
    {
        // A shows 9.997 to 10 s twice: the offset is 3 ms more the second time.
        var before = new ProbeScript(_ => 0);
        var after = new ProbeScript(_ => 3e6);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        before.Run(tracker, 0, 10 * Second, every: 500_000);
        after.Run(tracker, (10 * Second) - 3_000_000, 20 * Second, every: 500_000);

        var windows = ProbeScript.Take(tracker, 20 * Second);

        windows.Zip(windows.Skip(1)).ShouldAllBe(pair => pair.First.EndNs == pair.Second.StartNs);
        windows.Where(window => window.EndNs <= (10 * Second) - 3_000_000).SelectMany(before.Misses).ShouldBeEmpty();
        windows.Where(window => window.StartNs >= (10 * Second) - 3_000_000).SelectMany(after.Misses).ShouldBeEmpty();
        tracker.Totals.Steps.ShouldBe(1);
    }

    private static ClockProbe Garbage(long at) => new(at, at + 900_000_000, at + 900_001_000, at + 500_000);
}
