using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Producer.OneWay;

namespace RedisLatency.Producer.Tests.OneWay;

/// <summary>Two hosts that say once a second how far their clocks are from UTC; the producer's crystal is true.</summary>
public class UtcMappingTests
{
    private const long Second = 1_000_000_000;
    private const long Microsecond = 1_000;

    // Unix time less the producer's clock, the consumer's clock less the producer's, and how fast that grows.
    private const long Unix = 1_790_000_000 * Second;
    private const long Apart = 250_000_000;
    private const double DriftPpm = 3;

    [Fact]
    public void Claim_OfTwoWordsASecondApart_IsAsWideAsTheWords()
    {
        var claim = UtcMapping.Claim(
            Producer(10.3, errorNs: 400), Producer(11.3), Consumer(10.7), new OffsetAssumptions())!;

        claim.AtNs.ShouldBeInRange((long)(10.7 * Second) - 500, (long)(10.7 * Second) + 500);
        // Both words' ±1 µs, and what the producer's moved by between two of its own.
        ((claim.HighNs - claim.LowNs) / 2).ShouldBe(2_400);
        claim.LowNs.ShouldBeLessThanOrEqualTo(TruthAt(claim.AtNs));
        claim.HighNs.ShouldBeGreaterThanOrEqualTo(TruthAt(claim.AtNs));
    }

    [Theory]
    [InlineData(-1, 1_000)]
    [InlineData(1_000, -1)]
    public void Claim_OfAHostThatKnowsNothingOfUtc_IsNone(long ofProducer, long ofConsumer) => UtcMapping.Claim(
        Producer(10.3) with { UtcErrorNs = ofProducer }, Producer(11.3),
        Consumer(10.7) with { UtcErrorNs = ofConsumer }, new OffsetAssumptions()).ShouldBeNull();

    /// <summary>28 ms there and back: by the probes alone E is 14 ms.</summary>
    [Fact]
    public void Windows_BetweenWordsOfAMicrosecond_AreKnownToAFewMicroseconds_HoweverLongTheRun()
    {
        var assumptions = new OffsetAssumptions();
        var tracker = new OffsetTracker(assumptions);
        var statuses = new ClockStatusFeed(tracker);
        var random = new Random(1);
        var (own, peer) = (Producer(-0.7), Consumer(-0.3));
        for (var sent = 0L; sent < 40 * Second; sent += Second / 100)
        {
            if (sent % Second == 7 * Second / 10)
                peer = Consumer(sent / (double)Second, Word());
            var (received, returned) = (sent + 14_000_000 + random.Next(200_000), sent + 28_400_000);
            var probe = new ClockProbe(
                sent, received + TruthAt(received), received + TruthAt(received), returned + random.Next(200_000));
            tracker.Add(probe);
            statuses.HearPeer(probe, peer);
            if (sent % Second != 3 * Second / 10)
                continue;
            var (before, now) = (own, own = Producer(sent / (double)Second, Word()));
            statuses.HearLocal(now);
            tracker.Add(UtcMapping.Claim(before, now, peer, assumptions)!);
        }

        tracker.Complete(40 * Second);
        var windows = new List<OffsetWindow>();
        while (tracker.TryTake(out var window))
            windows.Add(window);

        windows.Count.ShouldBeGreaterThanOrEqualTo(40);
        windows.ShouldAllBe(window => window.IsProven);
        windows.SelectMany(Misses).ShouldBeEmpty();
        // Between the words of both: before the first and after the last it grows as fast as clocks may drift.
        var between = windows.Where(window => window.StartNs > 2 * Second && window.EndNs < 38 * Second).ToList();
        between.Max(window => window.ErrorNs).ShouldBeLessThan(12 * Microsecond);
        between[^1].ErrorNs.ShouldBeLessThan(between[0].ErrorNs + (4 * Microsecond));

        long Word() => random.Next(-900, 901);
    }

    private static IEnumerable<string> Misses(OffsetWindow window)
    {
        for (var at = window.StartNs; at < window.EndNs; at += Second / 40)
        {
            if (Math.Abs(TruthAt(at) - window.OffsetAt(at)) > window.ErrorAt(at))
                yield return $"off by {TruthAt(at) - window.OffsetAt(at)} of {window.ErrorAt(at)} at {at}";
        }
    }

    private static long TruthAt(double at) => Apart + (long)(at * DriftPpm / 1e6);

    private static ClockStatus Producer(double second, long errorNs = 0) =>
        new((long)(second * Second), Unix + errorNs, Microsecond, 0, 0);

    private static ClockStatus Consumer(double second, long errorNs = 0)
    {
        var at = second * Second;
        return new((long)at + TruthAt(at), Unix - TruthAt(at) + errorNs, Microsecond, 0, 0);
    }
}
