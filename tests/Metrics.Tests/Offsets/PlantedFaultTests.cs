using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>Whatever a clock does that nobody tells, no window that is proven leaves the truth out.</summary>
public class PlantedFaultTests
{
    /// <summary>More worlds, for an hour's doubt: REDISLATENCY_TEST_WORLDS=3000.</summary>
    private static readonly int Seeds =
        int.TryParse(Environment.GetEnvironmentVariable("REDISLATENCY_TEST_WORLDS"), out var worlds) ? worlds / 100 : 3;

    private static readonly PlantedWorld Wide = new();
    private static readonly PlantedWorld Floored = Wide with
    {
        Assumptions = new OffsetAssumptions { ForwardFloorNs = 13_500_000, BackFloorNs = 13_500_000 },
    };

    private static readonly PlantedWorld Congested = Wide with { JitterNs = 2e6, Spread = 1.5 };
    private static readonly PlantedWorld OneSided = Wide with { ForwardNs = 60e3, BackNs = 20e6, JitterNs = 20e3 };
    private static readonly PlantedWorld Near = Wide with
    {
        Rate = 500,
        ForwardNs = 18e3,
        BackNs = 16e3,
        JitterNs = 8e3,
    };

    private static readonly PlantedWorld Datagrams = Wide with
    {
        Rate = 500,
        ForwardNs = 5e3,
        BackNs = 5e3,
        JitterNs = 1.5e3,
    };

    private static IEnumerable<(string Name, PlantedWorld World)> Worlds(int seed) =>
        new[]
        {
            ("wide", Wide), ("floored", Floored), ("congested", Congested), ("one-sided", OneSided), ("near", Near),
            ("datagrams", Datagrams),
        }
        .Select(world => (world.Item1, world.Item2 with { Seed = seed, Rate = world.Item2.Rate * (1 + (seed % 3)) / 2 }));

    public static TheoryData<string> Faults => [.. Planted(0, Wide).Select(fault => fault.Name)];

    [Theory]
    [MemberData(nameof(Faults))]
    public void Window_OfAClockWithAFaultThatNobodyTells_HoldsTheTruthOrIsNotProven(string fault)
    {
        var misses = new List<string>();
        for (var seed = 0; seed < Seeds; seed++)
        {
            foreach (var (name, world) in Worlds(seed))
            {
                var planted = Planted(seed, world).Single(planted => planted.Name == fault).World;
                misses.AddRange(planted.Misses(planted.Track().Windows).Take(2).Select(miss => $"{name}, {miss}"));
            }
        }

        misses.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(0.2)]
    [InlineData(0.85)]
    public void UnseenStep_OfAStepBelowTheRoundTrip_IsAtLeastThatStep(double part)
    {
        var stepNs = part * (Wide.ForwardNs + Wide.BackNs);
        var stepped = Wide with { Fault = now => now < 15.5e9 ? 0 : stepNs };

        // Queues hide no more than they last, and the step hides behind the quickest of them.
        ((double)stepped.Track().Tracker.UnseenStepNs).ShouldBeInRange(stepNs - 500_000, stepNs + 500_000);
        ((double)Wide.Track().Tracker.UnseenStepNs).ShouldBeLessThan(500_000);
    }

    /// <summary>
    /// A consumer that says to have kept messages for longer than it did, by so much on each side: E is less by as
    /// much, and the truth may lie outside where the two ways differ. That is assumed of it (consumer-honesty); found is
    /// what leaves messages less than nothing, or than the floors.
    /// </summary>
    [Theory]
    [InlineData(8, 0, false)]
    [InlineData(8, 13.5, true)]
    [InlineData(20, 0, true)]
    public void Overclaim_IsFoundWhereItLeavesLessThanTheFloors_AndIsTakenFromEElsewhere(
        double overclaimedMs, double floorMs, bool isFound)
    {
        var assumptions = new OffsetAssumptions
        {
            ForwardFloorNs = (long)(floorMs * 1e6),
            BackFloorNs = (long)(floorMs * 1e6),
        };
        var honest = Wide with { ForwardNs = 18e6, BackNs = 14e6, Assumptions = assumptions };
        var overclaiming = honest with { OverclaimedNs = overclaimedMs * 1e6 };

        var (tracker, windows) = overclaiming.Track();
        var totals = tracker.Totals;

        (totals.Impossible + totals.Contradicting > 0 || windows.Any(window => window.MinNetworkNs >= 0
            && window.MinNetworkNs < assumptions.ForwardFloorNs + assumptions.BackFloorNs)).ShouldBe(isFound);
        if (isFound)
            return;
        var honestE = honest.Track().Windows.Select(window => window.ErrorNs).Order().ElementAt(windows.Count / 2);
        var e = windows.Select(window => window.ErrorNs).Order().ElementAt(windows.Count / 2);
        (honestE - e).ShouldBeInRange((long)(overclaimedMs * 0.9e6), (long)(overclaimedMs * 1.1e6));
    }

    [Theory]
    [InlineData(300, 0.1, 0.6)]
    [InlineData(0.5, 2, 8)]
    public void UnseenMoment_IsAsLongAsProbesAreApart(double rate, double least, double most) =>
        (new PlantedWorld { Rate = rate, Seconds = 60 }.Track().Tracker.UnseenMomentNs / 1e9)
            .ShouldBeInRange(least, most);

    [Theory]
    [InlineData(0)]
    [InlineData(1.5)]
    public void Drift_OfARateThatChanges_IsInsideItsInterval(double unrest)
    {
        var misses = new List<string>();
        for (var seed = 0; seed < Seeds; seed++)
        {
            foreach (var (name, world) in Worlds(seed))
            {
                foreach (var ppm in new[] { 2, 15, 30 })
                {
                    var planted = world with
                    {
                        Unrest = unrest,
                        Fault = now => ppm * 1e-6 * Math.Max(0, now - 14.6e9),
                    };
                    misses.AddRange(planted.DriftMisses(planted.Track().Windows).Select(miss => $"{name}, {miss}"));
                }
            }
        }

        misses.ShouldBeEmpty();
    }

    /// <summary>Probes that show it to be show how fast it is at least: it may be faster by what noise hides.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(0.5)]
    public void Drift_OfACrystalWorseThanAssumed_IsInsideItsInterval(double unrest)
    {
        var assumedPpm = 2 * new OffsetAssumptions().OscillatorPpm;
        var judged = 0;
        var misses = new List<string>();
        for (var seed = 0; seed < Seeds; seed++)
        {
            foreach (var (name, world) in Worlds(seed))
            {
                foreach (var ppm in new[] { 120, 300, -300 })
                {
                    var planted = world with { Unrest = unrest, Fault = now => ppm * 1e-6 * now };
                    var (tracker, windows) = planted.Track();
                    var seenPpm = tracker.Assumptions.OscillatorPpm;
                    if (2 * seenPpm <= assumedPpm * 1.01)
                        continue;
                    var shown = windows.Select(window => window.WithOscillator(seenPpm)).ToList();
                    judged += shown.Count;
                    misses.AddRange(planted.DriftMisses(shown).Select(miss => $"{name}, {miss}"));
                }
            }
        }

        misses.ShouldBeEmpty();
        judged.ShouldBeGreaterThan(500);
    }

    /// <summary>Faults of all sizes, from a hundredth of a round trip to many of them.</summary>
    private static IEnumerable<(string Name, PlantedWorld World)> Planted(int seed, PlantedWorld world)
    {
        var random = new Random(seed);
        var at = (10 + (random.NextDouble() * 10)) * 1e9;
        var sign = seed % 2 == 0 ? 1 : -1;
        var floors = world.Assumptions.ForwardFloorNs + world.Assumptions.BackFloorNs;
        var channel = world.ForwardNs + world.BackNs - floors;
        foreach (var part in new[] { 0.05, 0.3, 0.5, 0.7, 0.85, 0.97, 1.5, 50 })
        {
            yield return ($"step of {part} round trips",
                world with { Fault = now => now < at ? 0 : sign * part * channel });
            // What is undone before a few probes have passed is nobody's to see.
            var length = Math.Max(part * channel, 30e9 / world.Rate);
            yield return ($"freeze for {part} round trips",
                world with { Fault = now => now >= at && now < at + length ? at - now : 0 });
            yield return ($"sleep for {part} round trips",
                world with { Sleep = (at, Math.Max(part * channel, 2e6)), Phase = random.NextDouble() });
        }

        foreach (var part in new[] { 0.3, 0.6 })
        {
            yield return ($"step of {part} round trips while the route becomes twice as long", world with
            {
                Fault = now => now < at ? 0 : sign * part * channel,
                Detour = (at, channel / 2),
            });
        }

        foreach (var part in new[] { 0.3, 0.9, 4 })
        {
            // As long as two moments, or longer.
            var length = (0.3 + (0.6 * random.NextDouble())) * 1e9;
            yield return ($"step of {part} round trips and back while the route is slow for a moment", world with
            {
                Fault = now => now >= at && now < at + length ? sign * part * channel : 0,
                Detour = (at - 60e6, 5 * channel),
                DetourNs = length + 120e6,
            });
        }

        yield return ("steps every four seconds",
            world with { Fault = now => sign * Math.Floor(now / 4e9) * 0.8 * channel });
        yield return ("steps there and back",
            world with { Fault = now => (long)(now / 5e9) % 2 * sign * 0.9 * channel });
        foreach (var ppm in new[] { 0.5, 2, 5, 20, 80 })
        {
            yield return ($"rate that changes by {ppm} ppm",
                world with { Seconds = 60, Fault = now => sign * ppm * 1e-6 * Math.Max(0, now - at) });
        }

        foreach (var ppm in new[] { 120, 300 })
            yield return ($"crystal of {ppm} ppm", world with { Seconds = 60, Fault = now => sign * ppm * 1e-6 * now });
        foreach (var ppm in new[] { 50, 500, 5_000 })
        {
            yield return ($"slew of {ppm} ppm for six seconds",
                world with { Fault = now => sign * ppm * 1e-6 * Math.Clamp(now - at, 0, 6e9) });
        }

        yield return ("warming up by 6 ppm",
            world with { Seconds = 90, Fault = now => sign * 6e-6 * (now - (30e9 * (1 - Math.Exp(-now / 30e9)))) });
    }
}
