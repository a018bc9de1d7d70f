using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Lab.Tests.Worlds;

public class PlantedClocksTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Offset_OfNothingPlanted_IsNone()
    {
        PlantedClocks.None.OffsetAt(5 * Second).ShouldBe(0);
        PlantedClocks.None.ProducerAtConsumer(5 * Second).ShouldBe(5 * Second);
    }

    [Fact]
    public void Offset_OfANamespaceAndADrift_HasBoth()
    {
        // The namespace's clock reads 100 s at the host's 0, where the drift begins.
        var consumer = SyntheticClock.Parse("skew=12ppm", anchorNs: 100 * Second);
        var clocks = new PlantedClocks(null, consumer, 100 * Second);

        clocks.OffsetAt(0).ShouldBe(100 * Second);
        (clocks.OffsetAt(10 * Second) - (100 * Second)).ShouldBeInRange(119_999, 120_001);
        clocks.SkewPpm(0, 10 * Second).ShouldBe(12, tolerance: 0.001);
    }

    [Fact]
    public void Offset_OfAWrongProducer_CountsOnItsClock()
    {
        var clocks = new PlantedClocks(
            SyntheticClock.Parse("offset=2s", anchorNs: 0), SyntheticClock.Parse("step=1ms@3s", anchorNs: 0), 0);

        clocks.OffsetAt(10 * Second).ShouldBe((-2 * Second) + 1_000_000);
        clocks.BreaksNs.ShouldBe([5 * Second]);
    }

    [Fact]
    public void Producer_ThatSleeps_HasOneBreakOfWhichBothSidesAreKnown()
    {
        var clocks = new PlantedClocks(SyntheticClock.Parse("suspend=20ms@2s", anchorNs: 0), null, 0);

        clocks.BreaksNs.ShouldBe([2 * Second]);
        clocks.OffsetAt((2 * Second) - 1).ShouldBe(0);
        clocks.OffsetAt((2 * Second) + 1).ShouldBe(20_000_000);
        clocks.IsRead((2 * Second) + 1).ShouldBeTrue();
    }

    [Fact]
    public void Producer_ThatFreezes_DoesNotReadWhatItSkips()
    {
        var clocks = new PlantedClocks(SyntheticClock.Parse("freeze=50ms@2s", anchorNs: 0), null, 0);

        clocks.BreaksNs.ShouldBe([2 * Second, (2 * Second) + 50_000_000]);
        clocks.IsRead((2 * Second) - 1).ShouldBeTrue();
        clocks.IsRead((2 * Second) + 1).ShouldBeFalse();
        clocks.IsRead((2 * Second) + 49_999_999).ShouldBeFalse();
        clocks.IsRead((2 * Second) + 50_000_001).ShouldBeTrue();
        clocks.OffsetAt((2 * Second) + 50_000_001).ShouldBe(0);
    }

    [Theory]
    [InlineData("offset=40ms,skew=20ppm")]
    [InlineData("offset=3s,skew=-8ppm,walk=0.05ppm,seed=7")]
    public void Producer_AtAMomentOfTheConsumer_IsTheInverse(string consumer)
    {
        var clocks = new PlantedClocks(
            null, SyntheticClock.Parse(consumer, anchorNs: 7 * Second), 7 * Second);

        for (var second = 1L; second <= 60; second++)
        {
            var ns = second * Second;
            clocks.ProducerAtConsumer(ns + clocks.OffsetAt(ns)).ShouldBeInRange(ns - 1, ns + 1);
        }
    }

    [Fact]
    public void Step_IsBetweenTwoMomentsOrNot()
    {
        var clocks = new PlantedClocks(
            null, SyntheticClock.Parse("step=5ms@2s", anchorNs: 100 * Second), 100 * Second);

        clocks.BreaksBetween(Second, 3 * Second).ShouldBeTrue();
        clocks.BreaksBetween(0, Second).ShouldBeFalse();
        clocks.OffsetAt(3 * Second).ShouldBe((100 * Second) + 5_000_000);
    }
}
