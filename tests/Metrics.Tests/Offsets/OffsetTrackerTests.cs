using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

public class OffsetTrackerTests
{
    private const long Second = ProbeScript.Second;

    [Fact]
    public void Tracker_WithoutProbes_HasNothingToSay()
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());

        tracker.Provisional.ShouldBeNull();
        ProbeScript.Take(tracker, 10 * Second).ShouldBeEmpty();
    }

    [Fact]
    public void Window_OfOneProbe_IsHalfItsRoundTrip()
    {
        var tracker = new OffsetTracker(new OffsetAssumptions { StampErrorNs = 0, OscillatorPpm = 0 });
        tracker.Add(new ClockProbe(1_000, 5_001_020, 5_001_030, 1_070));

        var window = ProbeScript.Take(tracker, 1_070).ShouldHaveSingleItem();

        window.StartNs.ShouldBe(1_000);
        window.OffsetNs.ShouldBe(4_999_990);
        window.ErrorAtReferenceNs.ShouldBeInRange(30, 32);
        window.MinNetworkNs.ShouldBe(60);
        window.Break.ShouldBe(OffsetBreak.Start);
        window.IsProven.ShouldBeTrue();
    }

    [Fact]
    public void Window_OfAWidePath_IsHalfTheRoundTripLessTheFloors()
    {
        var script = new ProbeScript(_ => 7e14) { ForwardNs = 14_000_000, BackNs = 14_000_000 };

        var unfloored = Middle(script, new OffsetAssumptions());
        var floored = Middle(script, new OffsetAssumptions { ForwardFloorNs = 13_500_000, BackFloorNs = 13_500_000 });

        Math.Abs(unfloored.OffsetNs - 700_000_000_000_000).ShouldBeLessThan(100_000);
        unfloored.ErrorNs.ShouldBeInRange(13_900_000, 14_200_000);
        Math.Abs(floored.OffsetNs - 700_000_000_000_000).ShouldBeLessThan(100_000);
        floored.ErrorNs.ShouldBeInRange(400_000, 700_000);
    }

    [Fact]
    public void Window_OfAnAsymmetricPath_IsOffByHalfTheAsymmetryAndSaysThatItMayBe()
    {
        var script = new ProbeScript(_ => 1_000) { ForwardNs = 14_000_000, BackNs = 20_000_000 };

        var window = Middle(script, new OffsetAssumptions());

        (window.OffsetNs - 1_000).ShouldBeInRange(-3_100_000, -2_900_000);
        script.Misses(window).ShouldBeEmpty();
    }

    [Fact]
    public void Windows_PartitionTheTime_AndAreOfNoBoundWhereNoProbeIsNearAnyMore()
    {
        var script = new ProbeScript(at => 5e6 + (at * 12e-6));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 10 * Second);

        var windows = ProbeScript.Take(tracker, 40 * Second);

        windows[0].StartNs.ShouldBe(0);
        windows[^1].EndNs.ShouldBe(40 * Second);
        windows.Zip(windows.Skip(1)).ShouldAllBe(pair => pair.First.EndNs == pair.Second.StartNs);
        // A step of either clock after the last probe, shortly before 10 s, would have shown in none.
        windows.ShouldAllBe(window => window.IsBounded == (window.EndNs <= 10 * Second));
        windows.ShouldAllBe(window => window.IsProven == window.IsBounded);
        windows.Where(window => window.IsBounded).SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Windows_BetweenProbesThatAreFarApart_AreBoundedToTheLastOne()
    {
        var script = new ProbeScript(at => 5e6 + (at * 12e-6));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 40 * Second, every: 2 * Second);

        var windows = ProbeScript.Take(tracker, 40 * Second);

        windows.ShouldAllBe(window => window.IsProven);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
    }

    [Fact]
    public void Skew_AfterAMinuteOnADirectPath_IsKnownWithinAPartPerMillion()
    {
        var script = new ProbeScript(at => 12.3e6 + (at * 12e-6));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 70 * Second);

        var window = ProbeScript.Take(tracker, 70 * Second)[62];

        window.SkewPpm.ShouldBe(12, 1);
        (window.SkewHighPpm - window.SkewLowPpm).ShouldBeLessThan(4);
        window.ErrorNs.ShouldBeLessThan(30_000);
    }

    [Fact]
    public void Window_IsFinalWhenTheSecondsAfterItAreKnown()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 6 * Second - 10_000_000, samplesRates: false);
        ProbeScript.Take(tracker).ShouldBeEmpty();

        script.Run(tracker, 6 * Second, 6 * Second + 20_000_000, samplesRates: false);

        ProbeScript.Take(tracker).ShouldHaveSingleItem().EndNs.ShouldBe(Second);
    }

    [Fact]
    public void Provisional_HoldsTheTruthBeforeAnyWindowIsFinal()
    {
        var script = new ProbeScript(at => 5e6 - (at * 30e-6));
        var tracker = new OffsetTracker(new OffsetAssumptions());
        script.Run(tracker, 0, 2 * Second);

        var window = tracker.Provisional.ShouldNotBeNull();

        script.Misses(window).ShouldBeEmpty();
        window.ErrorAt(window.EndNs).ShouldBeLessThan(1_000_000);
    }

    [Theory]
    [InlineData(1_000, 0, 10, 900)]
    [InlineData(1_000, 10, 0, 1_100)]
    [InlineData(1_000, 0, 900, 1_100)]
    [InlineData(1_000, long.MaxValue, long.MaxValue, 1_100)]
    [InlineData(long.MinValue, 0, 10, 1_100)]
    public void Probe_ThatNoClocksCanProduce_IsCountedAndBoundsNothing(
        long sent, long received, long echoed, long returned)
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());

        tracker.Add(new ClockProbe(sent, received, echoed, returned));

        tracker.Totals.Impossible.ShouldBe(1);
        ProbeScript.Take(tracker, 10_000).ShouldBeEmpty();
    }

    [Fact]
    public void Garbage_ThatComesFirst_IsNoStep()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions());
        tracker.Add(new ClockProbe(1_000, 900_000_000, 900_001_000, 60_000));
        script.Run(tracker, 10_000_000, 3 * Second);

        var windows = ProbeScript.Take(tracker, 3 * Second);

        tracker.Totals.Steps.ShouldBe(0);
        tracker.Totals.Contradicting.ShouldBe(1);
        windows.SelectMany(script.Misses).ShouldBeEmpty();
        windows[0].IsProven.ShouldBeFalse();
        windows[1].IsProven.ShouldBeTrue();
    }

    [Fact]
    public void Floors_LongerThanThePath_ShowAsContradictingProbes()
    {
        var script = new ProbeScript(_ => 0);
        var tracker = new OffsetTracker(new OffsetAssumptions { ForwardFloorNs = 200_000, BackFloorNs = 200_000 });
        script.Run(tracker, 0, Second);
        tracker.Complete(Second);

        tracker.Totals.Contradicting.ShouldBe(200);
    }

    private static OffsetWindow Middle(ProbeScript script, OffsetAssumptions assumptions)
    {
        var tracker = new OffsetTracker(assumptions);
        script.Run(tracker, 0, 20 * Second);
        return ProbeScript.Take(tracker, 20 * Second)[10];
    }
}
