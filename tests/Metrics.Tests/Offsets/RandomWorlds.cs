namespace RedisLatency.Metrics.Tests.Offsets;

/// <summary>Worlds drawn by a seed.</summary>
internal static class RandomWorlds
{
    /// <summary>
    /// Any skew, rate, path, queue, loss, duplication and order; the clocks neither jump nor are slewed.
    /// </summary>
    public static WorldOptions Steady(int seed)
    {
        var random = new Random(seed);
        var isWide = random.Next(3) == 0;
        return new WorldOptions
        {
            Seed = seed,
            Seconds = 5 + (random.NextDouble() * (seed % 10 == 0 ? 120 : 20)),
            ProbesPerSecond = Math.Pow(10, -0.5 + (random.NextDouble() * 2.7)),
            SkewPpm = (random.NextDouble() - 0.5) * 1000,
            ForwardNs = (isWide ? 14e6 : 20e3) * (0.5 + random.NextDouble()),
            BackNs = (isWide ? 14e6 : 20e3) * (0.5 + random.NextDouble()),
            QueueNs = Math.Pow(10, 3 + (random.NextDouble() * 3)),
            HeavyShare = Share(random, 0.3),
            LossShare = Share(random, 0.5),
            DuplicateShare = Share(random, 0.2),
            ReorderShare = Share(random, 0.3),
            SamplesRates = random.Next(3) > 0,
        };
    }

    /// <summary>Quick paths that hardly ever queue: what is left of the bound is drift, wander and reading.</summary>
    public static WorldOptions Sharp(int seed)
    {
        var random = new Random(seed);
        return Steady(seed) with
        {
            Seconds = 5 + (random.NextDouble() * (seed % 4 == 0 ? 100 : 20)),
            QueueNs = Math.Pow(10, random.NextDouble() * 3),
            WanderPpm = Math.Pow(10, -1.5 + (random.NextDouble() * 2)),
            DuplicateShare = 0,
        };
    }

    /// <summary>
    /// Besides, either clock is slewed, by the kernel or by a daemon that does more; rates are sampled.
    /// </summary>
    public static WorldOptions Slewed(int seed)
    {
        var random = new Random(seed);
        var steady = Steady(seed);
        var slews = new List<(bool, double, double, double)>();
        for (var i = random.Next(1, 4); i > 0; i--)
        {
            var from = random.NextDouble() * steady.Seconds;
            var ppm = random.Next(4) == 0 ? 80_000 : 500;
            var slew = (OfConsumer: random.Next(2) == 0, From: from, To: from + 1 + (random.NextDouble() * 8),
                Ppm: (random.NextDouble() - 0.5) * 2 * ppm);

            // A rate is sampled as the mean of a second: one that changes twice within it no sampling shows.
            if (slews.TrueForAll(other => other.Item1 != slew.OfConsumer
                || other.Item2 > slew.To + 2 || other.Item3 < slew.From - 2))
            {
                slews.Add(slew);
            }
        }

        return steady with { Slews = slews, SamplesRates = true };
    }

    /// <summary>
    /// Besides, B jumps, by more than any probe's round trip and what the clocks can drift between probes.
    /// </summary>
    public static WorldOptions Stepped(int seed)
    {
        var random = new Random(seed);
        var steady = Steady(seed);
        var rate = Math.Max(10, steady.ProbesPerSecond);
        var least = (3 * (steady.ForwardNs + steady.BackNs + (10 * steady.QueueNs))) + (3e-3 * 5 / rate * 1e9);
        var steps = new List<(double, double)>();
        for (var at = 2 + random.NextDouble(); at < steady.Seconds - 2; at += 3 + (random.NextDouble() * 20))
            steps.Add((at, least * (1 + (random.NextDouble() * 1000)) * (random.Next(2) == 0 ? -1 : 1)));
        return steady with
        {
            Steps = steps,
            ProbesPerSecond = rate,
            HeavyShare = Math.Min(0.1, steady.HeavyShare),
            LossShare = Math.Min(0.2, steady.LossShare),
        };
    }

    /// <summary>Besides, B jumps by less than the shorter of the two paths: no probe can see it.</summary>
    public static WorldOptions SteppedUnseen(int seed)
    {
        var stepped = Stepped(seed);
        var most = Math.Min(stepped.ForwardNs, stepped.BackNs);
        var random = new Random(seed);
        return stepped with
        {
            Steps = [.. stepped.Steps.Take(1).Select(step =>
                (step.Seconds, Math.Sign(step.Ns) * most * random.NextDouble()))],
        };
    }

    private static double Share(Random random, double most) => random.Next(2) == 0 ? 0 : random.NextDouble() * most;
}
