using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>
/// The bound never excludes the truth while its assumptions hold: in random worlds whose truth is known.
/// </summary>
public class OffsetTrackerPropertyTests
{
    /// <summary>More worlds, for an hour's doubt: REDISLATENCY_TEST_WORLDS=3000.</summary>
    private static readonly int Worlds =
        int.TryParse(Environment.GetEnvironmentVariable("REDISLATENCY_TEST_WORLDS"), out var worlds) ? worlds : 250;

    private static readonly OffsetAssumptions Wide = new() { OscillatorPpm = 300, StampErrorNs = 1 };

    [Fact]
    public void Bound_WithoutSteps_HoldsTheTruthAndSeesNoStep() => ForWorlds(RandomWorlds.Steady, tracked =>
    {
        tracked.Misses().Take(5).ShouldBeEmpty();
        tracked.Tracker.Totals.Steps.ShouldBe(0);
        tracked.Tracker.Totals.Contradicting.ShouldBe(0);
        tracked.Tracker.Totals.Impossible.ShouldBe(0);
        // Few probes at random may end long before the world does: nothing is known of what comes after them.
        tracked.Windows.ShouldAllBe(
            window => window.IsProven == window.IsBounded && window.Break != OffsetBreak.NotLinear);
    });

    [Fact]
    public void Bound_WithFloorsOfTheWholePathAndHardlyAQueue_HoldsTheTruth() => ForWorlds(
        RandomWorlds.Sharp,
        options => Wide with
        {
            ForwardFloorNs = (long)options.ForwardNs,
            BackFloorNs = (long)options.BackNs,
            WanderPpm = options.WanderPpm,
        },
        tracked =>
        {
            tracked.Misses().Take(5).ShouldBeEmpty();
            tracked.Tracker.Totals.Steps.ShouldBe(0);
            tracked.Tracker.Totals.Contradicting.ShouldBe(0);
            tracked.Windows.ShouldAllBe(window => window.Break != OffsetBreak.NotLinear);
        });

    [Fact]
    public void Bound_WhileClocksAreSlewed_HoldsTheTruthAndSeesNoStep() => ForWorlds(RandomWorlds.Slewed, tracked =>
    {
        tracked.Misses().Take(5).ShouldBeEmpty();
        tracked.Tracker.Totals.Steps.ShouldBe(0);
        tracked.Tracker.Totals.Contradicting.ShouldBe(0);
    });

    [Fact]
    public void Bound_WithStepsLargerThanTheChannel_HoldsTheTruthAndFindsEachOnce() =>
        ForWorlds(RandomWorlds.Stepped, tracked =>
        {
            tracked.Misses().Take(5).ShouldBeEmpty();
            tracked.Tracker.Totals.Contradicting.ShouldBe(0);
            tracked.Tracker.Totals.Steps.ShouldBe(tracked.Options.Steps.Count);
            var found = tracked.Windows.Where(window => window.Break == OffsetBreak.Step).ToList();
            found.Count.ShouldBe(tracked.Options.Steps.Count);
            foreach (var (window, step) in found.Zip(tracked.Options.Steps))
            {
                tracked.World.Producer(step.Seconds * 1e9).ShouldBeInRange(window.StartNs, window.EndNs);
                Math.Abs(window.StepNs - step.Ns).ShouldBeLessThanOrEqualTo(window.StepErrorNs.ShouldNotBeNull());
            }
        });

    [Fact]
    public void Bound_WithAStepSmallerThanEitherPath_HoldsTheTruth() => ForWorlds(RandomWorlds.SteppedUnseen, tracked =>
        tracked.Misses().Where(miss => !miss.Contains("skew", StringComparison.Ordinal)).Take(5).ShouldBeEmpty());

    [Fact]
    public void Bound_WhenSomeEchoesAreGarbage_HoldsTheTruthAndCountsThem() => ForWorlds(
        seed => RandomWorlds.Steady(seed) with { GarbageShare = 0.03, DuplicateShare = 0 },
        tracked =>
        {
            if (tracked.Tracker.Totals.Probes < 50)
                return;
            tracked.Misses().Take(5).ShouldBeEmpty();
            tracked.Tracker.Totals.Steps.ShouldBe(0);
            tracked.Tracker.Totals.Contradicting.ShouldBe(tracked.World.Garbage);
            tracked.Windows.Sum(window => window.Contradicting).ShouldBe(tracked.World.Garbage);
        });

    [Fact]
    public void Bound_WithManyProbes_IsFewTimesTheBestPossible() => ForWorlds(
        seed => RandomWorlds.Steady(seed) with { ProbesPerSecond = 200, LossShare = 0, SamplesRates = true },
        tracked =>
        {
            var windows = tracked.Windows[1..^1];
            var errors = windows.Select(window => window.ErrorAtReferenceNs).Order().ToList();
            var best = (tracked.World.QuickestForwardNs + tracked.World.QuickestBackNs) / 2;
            var median = (double)errors[errors.Count / 2];
            // What the queues of different probes leave less than one probe's may be a step, and counts as one: of the
            // probes of three tenths of a second, in which a clock could step and step back, the quickest meets this
            // much of two queues; the slowest of each second count.
            var queued = tracked.Options.QueueNs * Math.Sqrt(2.0 / 60);
            median.ShouldBeLessThan((1.25 * best) + 1_000 + (4 * queued));
        });

    private static void ForWorlds(Func<int, WorldOptions> draw, Action<TrackedWorld> check) =>
        ForWorlds(draw, _ => Wide, check);

    private static void ForWorlds(
        Func<int, WorldOptions> draw, Func<WorldOptions, OffsetAssumptions> assume, Action<TrackedWorld> check)
    {
        for (var seed = 0; seed < Worlds; seed++)
        {
            var options = draw(seed);
            try
            {
                check(new TrackedWorld(options, assume(options)));
            }
            catch (ShouldAssertException missed)
            {
                throw new ShouldAssertException($"{options} {string.Join(' ', options.Steps)} "
                    + $"{string.Join(' ', options.Slews)}: {missed.Message}", missed);
            }
        }
    }
}
