using RedisLatency.Metrics.Offsets;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>What is claimed of a clock narrows no window in which the truth is not, whoever claims it.</summary>
public sealed class ClaimedWorldTests
{
    private const long Second = PlantedWorld.Second;
    private const double ClaimedErrorNs = 10e3;

    private static readonly string[] Kinds = ["true", "stale", "displaced", "displaced and put right", "none"];

    [Theory]
    [InlineData(5e6)]
    [InlineData(-5e6)]
    [InlineData(300e3)]
    public void Window_OfAClockThatStepsUnderAClaim_HoldsTheTruth_AndTheStepIsSaid(double stepNs)
    {
        var world = new PlantedWorld { Fault = now => now < 15.5e9 ? 0 : stepNs, JitterNs = 50e3 };

        var (tracker, windows) = world.Track(told => Claim(told, world, _ => 0));

        world.Misses(windows).ShouldBeEmpty();
        tracker.HasDisplacedClaims.ShouldBeTrue();
        ((double)tracker.UnseenStepNs).ShouldBeInRange(0.8 * Math.Abs(stepNs), 1.3 * Math.Abs(stepNs));
        // Before it claims hold, and after it they hold no more.
        windows[8].ErrorNs.ShouldBeLessThan(100_000);
        ((double)windows[25].ErrorNs).ShouldBeGreaterThan(0.8 * Math.Abs(stepNs));
    }

    [Fact]
    public void Window_AfterAWordThatDoesNotRestOnTheStep_IsNarrowAgain()
    {
        var world = new PlantedWorld { Fault = now => now < 12.5e9 ? 0 : 3e6, JitterNs = 50e3 };

        var (_, windows) = world.Track(told => Claim(told, world, at => at < 20.5e9 ? 0 : 3e6));

        world.Misses(windows).ShouldBeEmpty();
        windows[27].ErrorNs.ShouldBeLessThan(100_000);
    }

    [Fact]
    public void Window_OfQueuesAndARouteThatMoves_IsNarrowedByAClaimAsBefore()
    {
        var world = new PlantedWorld { Detour = (15e9, 4e6) };

        var (tracker, windows) = world.Track(told => Claim(told, world, _ => 0));

        world.Misses(windows).ShouldBeEmpty();
        tracker.HasDisplacedClaims.ShouldBeFalse();
        windows.Skip(2).ShouldAllBe(window => window.ErrorNs < 200_000);
    }

    [Fact]
    public void Windows_OfAHundredWorlds_HoldTheTruth() => Hold(100);

    [Fact(Explicit = true)]
    public void Windows_OfTwoThousandWorlds_HoldTheTruth() => Hold(2_000);

    // For longer than a clock can do and undo what no probe shows.
    private static void Hold(int worlds)
    {
        var misses = new List<string>();
        for (var seed = 0; seed < worlds; seed++)
        {
            var (world, claims) = Random(seed);
            var (tracker, windows) = world.Track(claims);
            if (world.LongestMissNs(windows) is var missNs && missNs > tracker.UnseenMomentNs)
            {
                misses.Add($"{Kinds[seed % Kinds.Length]}, for {missNs / 1e6:F0} ms where "
                    + $"{tracker.UnseenMomentNs / 1e6:F0} are said: {world.Misses(windows).First()}");
            }
        }

        misses.ShouldBeEmpty();
    }

    private static (PlantedWorld World, Action<OffsetTracker> Claims) Random(int seed)
    {
        var random = new Random(seed);
        var kind = Kinds[seed % Kinds.Length];
        var wayNs = Math.Pow(10, 4.5 + (random.NextDouble() * 3));
        var at = (8 + (random.NextDouble() * 8)) * 1e9;
        var back = at + ((4 + (random.NextDouble() * 6)) * 1e9);
        var step = wayNs * (0.02 + (1.5 * random.NextDouble())) * (random.Next(2) == 0 ? 1 : -1);
        var world = new PlantedWorld
        {
            Seed = seed,
            Seconds = 25,
            Rate = 40 + (300 * random.NextDouble()),
            ForwardNs = wayNs,
            BackNs = wayNs * (0.3 + random.NextDouble()),
            JitterNs = wayNs * 0.05 * random.NextDouble(),
            SkewPpm = 40 * (random.NextDouble() - 0.5),
            Fault = kind.StartsWith("displaced", StringComparison.Ordinal) ? now => now < at ? 0 : step : _ => 0,
        };
        return (world, told =>
        {
            if (kind == "stale")
                told.Add(ClaimAt(world, 2e9, 0));
            else if (kind == "displaced and put right")
                Claim(told, world, now => now < back ? 0 : step);
            else if (kind != "none")
                Claim(told, world, _ => 0);
        }
        );
    }

    // Both hosts say so each second: it holds but for what was planted since, unless that is known.
    private static void Claim(OffsetTracker tracker, PlantedWorld world, Func<double, double> known)
    {
        for (var at = 0.4e9; at < world.Seconds * 1e9; at += Second)
            tracker.Add(ClaimAt(world, at, known(at)));
    }

    private static OffsetClaim ClaimAt(PlantedWorld world, double at, double known)
    {
        var offset = 5e9 + (world.SkewPpm * 1e-6 * at) + known;
        return new OffsetClaim(
            "utc", OffsetClaimKind.Utc, (long)at, (long)(offset - ClaimedErrorNs), (long)(offset + ClaimedErrorNs));
    }
}
