using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

/// <summary>Searches on a simulated server with a queue, of which the highest rate under a limit can be computed.</summary>
public class QueueSearchTests
{
    private const double PerSecond = 1e9;
    private const double BlocksPerSecond = 16;
    private const double ServiceRate = 5_000;
    private const double LimitNs = 10e6;

    // In M/M/1 the time in the system is exponential, of rate μ − λ.
    private static readonly double Highest = ServiceRate - (Math.Log(100) / (LimitNs / PerSecond));

    /// <summary>
    /// Latency that grows with load long before the limit, and swings slowly: the rate that surely held and the one
    /// that surely missed, if any, have the truth between them.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Search_OfAQueueWithRandomArrivals_FindsWhereItsPercentileMeetsTheLimit(ulong seed)
    {
        var random = new RandomSource(seed);
        var result = Run(random, stallNs: 0);

        result.Held.ShouldNotBeNull().ShouldBeInRange(0.88 * Highest, Highest);
        (result.Missed?.Asked ?? double.PositiveInfinity).ShouldBeGreaterThan(Highest);
    }

    /// <summary>Every fourth step has a pause of 50 ms, five limits long.</summary>
    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public void Search_OfAQueueThatPausesNowAndThen_IsNotLedAstray(ulong seed)
    {
        var result = Run(new RandomSource(seed), stallNs: 50_000_000);

        result.Held.ShouldNotBeNull().ShouldBeInRange(0.85 * Highest, Highest);
    }

    private static RateSearchResult Run(RandomSource random, long stallNs)
    {
        var search = new RateSearch(1_100);
        var steps = new List<SearchStep>();
        while (search.Next is { } rate)
        {
            var seconds = 5.0 * (search.IsLong ? 3 : 1) * search.Stretch;
            var (row, most) = Step(rate, seconds, random, steps.Count % 4 == 2 ? stallNs : 0);
            var (outcome, because) = StepJudgement.Judge(row, LimitNs, most);
            steps.Add(new SearchStep
            {
                Phase = $"step {steps.Count}",
                Asked = rate,
                ValueNs = row.Value,
                Outcome = outcome,
                Because = because,
            });
            search.Take(outcome);
        }

        return new RateSearchResult
        {
            Limit = "response.p99<10ms",
            Percentile = 99,
            LimitNs = LimitNs,
            Held = search.Held,
            NotHeld = search.NotHeld,
            End = search.End,
            Steps = steps,
        };
    }

    private static (PercentileRow Row, long? Most) Step(double rate, double seconds, RandomSource random, long stallNs)
    {
        var (all, block, blocks) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency(), new SampleBlocks());
        var length = PerSecond / BlocksPerSecond;
        var (now, free, end) = (0.0, 0.0, length);
        while (now < seconds * PerSecond)
        {
            now += Exponential(rate, random);
            for (; now >= end; end += length)
                blocks.Move(block, TimeSpan.FromSeconds(1 / BlocksPerSecond), all);
            if (stallNs > 0 && now > seconds * PerSecond / 3)
                (free, stallNs) = (Math.Max(free, now) + stallNs, 0);
            free = Math.Max(free, now) + Exponential(ServiceRate, random);
            block.Record((long)(free - now));
        }

        blocks.Move(block, TimeSpan.FromSeconds(1 / BlocksPerSecond), all);
        return (PercentileRow.Of(all, 99, blocks), PercentileRow.Of(all, 49.5).Value);
    }

    private static double Exponential(double rate, RandomSource random) =>
        -Math.Log(random.NextPositiveDouble()) * PerSecond / rate;
}
