using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Statistics.Coverage;

public class IntervalCoverageTests(ITestOutputHelper output)
{
    private static readonly SimulatedSeries[] All =
    [
        new("independent, 5 s of 5,000/s", 5_000, 5),
        new("independent, 5 s of 1,000/s", 1_000, 5),
        new("AR(1) 0.8, 5 s of 5,000/s", 5_000, 5) { Rho = 0.8 },
        new("AR(1) 0.95, 5 s of 5,000/s", 5_000, 5) { Rho = 0.95 },
        new("AR(1) 0.99, 5 s of 5,000/s", 5_000, 5) { Rho = 0.99 },
        new("AR(1) 0.99, 30 s of 5,000/s", 5_000, 30) { Rho = 0.99 },
        new("AR(1) 0.99, 5 s of 1,000/s", 1_000, 5) { Rho = 0.99 },
        new("AR(1) 0.99, 60 s of 1,000/s", 1_000, 60) { Rho = 0.99 },
        new("AR(1) 0.999 and noise, 5 s of 5,000/s", 5_000, 5) { Rho = 0.999, SlowShare = 0.7 },
        new("AR(1) 0.999 and noise, 30 s of 5,000/s", 5_000, 30) { Rho = 0.999, SlowShare = 0.7 },
        new("AR(1) R=60, 5 s of 5,000/s", 5_000, 5) { Rho = Math.Exp(-60/25000.0) },
        new("AR(1) R=60 noise, 5 s of 5,000/s", 5_000, 5) { Rho = Math.Exp(-60/25000.0), SlowShare=.5 },
        new("AR(1) R=120, 5 s of 5,000/s", 5_000, 5) { Rho = Math.Exp(-120/25000.0) },
        new("AR(1) R=120 noise, 5 s of 5,000/s", 5_000, 5) { Rho = Math.Exp(-120/25000.0), SlowShare=.5 },
        new("bursts of 5 ms, 10 %, 5 s of 5,000/s", 5_000, 5) { BurstShare = 0.1, BurstLength = 25 },
        new("bursts of 20 ms, 10 %, 5 s of 5,000/s", 5_000, 5) { BurstShare = 0.1, BurstLength = 100 },
        new("bursts of 20 ms, 10 %, 30 s of 5,000/s", 5_000, 30) { BurstShare = 0.1, BurstLength = 100 },
        new("bursts of 5 ms, 2 %, 5 s of 5,000/s", 5_000, 5) { BurstShare = 0.02, BurstLength = 25 },
        new("bursts of 20 ms, 2 %, 5 s of 5,000/s", 5_000, 5) { BurstShare = 0.02, BurstLength = 100 },
        new("bursts of 20 ms, 2 %, 30 s of 5,000/s", 5_000, 30) { BurstShare = 0.02, BurstLength = 100 },
        new("bursts of 50 ms, 30 %, 5 s of 5,000/s", 5_000, 5) { BurstShare = 0.3, BurstLength = 250 },
        new("drift of 0.05 σ", 5_000, 5) { Drift = 0.05 },
        new("drift of 0.1 σ", 5_000, 5) { Drift = 0.1 },
        new("drift of 0.3 σ", 5_000, 5) { Drift = 0.3 },
        new("drift of 1 σ", 5_000, 5) { Drift = 1 },
        new("drift of 0.3 σ, AR(1) 0.95", 5_000, 5) { Drift = 0.3, Rho = 0.95 },
        new("drift of 1 σ, AR(1) 0.95", 5_000, 5) { Drift = 1, Rho = 0.95 },
    ];

    [Fact(Explicit = true)]
    public void Intervals_OfThousandsOfRuns_CoverTheTruth()
    {
        foreach (var series in All)
        {
            var n = series.Seconds > 5 ? 400 : 1000;
            output.WriteLine($"| {series.Name,-40} | {string.Join(" | ", Coverage.Of(series, n).Select(c=>$"{c,-18}"))} |");
        }
    }
}
