using RedisLatency.Metrics.Clocks.Offsets;

namespace RedisLatency.Metrics.Tests.Clocks.Offsets;

public class OffsetTrackerPropertyTests
{
    private static readonly int Worlds =
        int.TryParse(Environment.GetEnvironmentVariable("REDISLATENCY_TEST_WORLDS"), out var worlds) ? worlds : 60;

    private static readonly OffsetAssumptions Generous = new() { OscillatorPpm = 300, StampErrorNs = 1 };

    [Fact]
    public void Bound_InWorldsWithoutSteps_HoldsTheTruthAndSeesNoStep()
    {
        for (var seed = 0; seed < Worlds; seed++)
        {
            var tracked = new TrackedWorld(Random(seed), Generous);

            tracked.Misses().Take(5).ShouldBeEmpty();
            tracked.Tracker.Totals.Steps.ShouldBe(0, tracked.Options.ToString());
            tracked.Tracker.Totals.Contradicting.ShouldBe(0, tracked.Options.ToString());
            tracked.Windows.ShouldAllBe(window => window.IsProven);
        }
    }

    private static WorldOptions Random(int seed)
    {
        var random = new Random(seed);
        var isWide = random.Next(3) == 0;
        double Share(double most) => random.Next(2) == 0 ? 0 : random.NextDouble() * most;
        return new WorldOptions
        {
            Seed = seed,
            Seconds = 5 + (random.NextDouble() * (seed % 10 == 0 ? 120 : 20)),
            ProbesPerSecond = Math.Pow(10, -0.5 + (random.NextDouble() * 2.7)),
            SkewPpm = (random.NextDouble() - 0.5) * 1000,
            ForwardNs = (isWide ? 14e6 : 20e3) * (0.5 + random.NextDouble()),
            BackNs = (isWide ? 14e6 : 20e3) * (0.5 + random.NextDouble()),
            QueueNs = Math.Pow(10, 3 + (random.NextDouble() * 3)),
            HeavyShare = Share(0.3),
            LossShare = Share(0.5),
            DuplicateShare = Share(0.2),
            ReorderShare = Share(0.3),
            SamplesRates = random.Next(3) > 0,
        };
    }
}
