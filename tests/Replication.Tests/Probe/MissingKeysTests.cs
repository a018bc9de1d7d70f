using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Keys without a delay count as slower than all that were read, and a wide interval has no middle.</summary>
public class MissingKeysTests
{
    private const long Millisecond = 1_000_000;

    [Theory]
    [InlineData(16_000, 29, "delay.p50<100ms", ThresholdOutcome.Met)]
    [InlineData(16_000, 29, "delay.p99<100ms", ThresholdOutcome.Met)]
    [InlineData(16_000, 29, "delay.p99.9<500ms", ThresholdOutcome.MissingSamples)]
    [InlineData(16_000, 29, "delay.max<1s", ThresholdOutcome.MissingSamples)]
    [InlineData(16_000, 29, "delay.mean<1s", ThresholdOutcome.MissingSamples)]
    [InlineData(16_000, 29, "delay-intended.max<1s", ThresholdOutcome.MissingSamples)]
    [InlineData(16_000, 29, "delay.max<1ms", ThresholdOutcome.Missed)]
    [InlineData(1_000, 650, "delay.p50<1s", ThresholdOutcome.MissingSamples)]
    [InlineData(1_000, 650, "delay.p50>1ms", ThresholdOutcome.Met)]
    public void Threshold_ThatMissingKeysCouldChange_IsNotKnown(
        long asked, long missing, string text, ThresholdOutcome expected)
    {
        var tally = TallyOf(asked - missing, 5 * Millisecond, 5 * Millisecond);
        tally.CountMissing(asked);

        Threshold.Parse(text).Evaluate(MetricsOf(tally, asked)).Outcome.ShouldBe(expected);
    }

    [Fact]
    public void Series_WithoutSomeKeys_KnowWhatTheseCannotChange()
    {
        var tally = TallyOf(971, 5 * Millisecond, 5 * Millisecond);
        tally.CountMissing(1_000);

        foreach (var series in DelayRows.Of(tally.Parts))
        {
            series.Missing.ShouldBe(29);
            (series.Max, series.Mean).ShouldBe((null, null));
            RowOf(series, 95).Value.ShouldNotBeNull();
            RowOf(series, 99).Unknown.ShouldBe(UnknownPercentile.MissingSamples);
        }
    }

    // A replica that stood still for two seconds: a key of that time came at any moment of them.
    [Fact]
    public void Series_OfKeysThatCameInAWideInterval_HaveNoMiddleThere()
    {
        var tally = TallyOf(900, 5 * Millisecond, 5 * Millisecond + 200_000);
        Record(tally, 100, 0, 1_938 * Millisecond);

        var series = DelayRows.Of(tally.FromSent.Parts).Single(one => one.Name == "delay");

        RowOf(series, 50).Value!.Value.ShouldBeInRange(5 * Millisecond, 5 * Millisecond + 200_000);
        foreach (var percentile in (double[])[95, 99])
            RowOf(series, percentile).ShouldBe(
                new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.WideInterval });
        (series.Max, series.Mean, series.StandardDeviation).ShouldBe((null, null, null));
        var missed = Threshold.Parse("delay.p95<3s").Evaluate(MetricsOf(tally, 1_000));
        missed.Outcome.ShouldBe(ThresholdOutcome.Met);
        missed.ToString().ShouldMatch(@"s\.\.\d", "a value that is known as an interval says so");
    }

    [Fact]
    public void LiveView_OfDelays_ShowsWhatTheyAreAtMost()
    {
        var tally = TallyOf(900, 5 * Millisecond, 5 * Millisecond);
        Record(tally, 100, 0, 2_000 * Millisecond);
        var snapshot = default(LiveSnapshot);

        snapshot.Take(MetricsOf(tally, 1_000));

        foreach (var figures in (LatencyFigures[])[snapshot.SentRun, snapshot.IntendedRun!.Value])
        {
            figures.P99.ShouldBeGreaterThanOrEqualTo(2_000 * Millisecond);
            figures.Max.ShouldBeGreaterThanOrEqualTo(2_000 * Millisecond);
        }
    }

    /// <summary>What is shown by its two ends can be in doubt as well: causes are held against the middle.</summary>
    [Fact]
    public void Doubts_OfAWidePercentile_AreHeldAgainstItsMiddle()
    {
        var tally = TallyOf(20_000, 10 * Millisecond, 10_000 * Millisecond);
        var summary = new RunSummary { Name = "keys", Latencies = DelayRows.Of(tally.Parts) };

        var shown = DelayVerdict.Shown(summary, tally.Parts, []).ToList();

        shown.Select(one => one.Name).ShouldBe(["delay", "delay-intended"]);
        foreach (var percentile in (double[])[50, 99, 99.9])
        {
            RowOf(summary.Latencies.Single(one => one.Name == "delay"), percentile).Unknown
                .ShouldBe(UnknownPercentile.WideInterval);
            shown.ShouldAllBe(one => one.ValueAt(percentile) > 4_990 * Millisecond);
        }
    }

    /// <summary>Polls were farther apart than the deadline: whether a key was there by then nobody saw.</summary>
    [Theory]
    [InlineData(0, "missing==0", ThresholdOutcome.Met)]
    [InlineData(3, "missing==0", ThresholdOutcome.WithinError)]
    [InlineData(3, "missing<1%", ThresholdOutcome.Met)]
    [InlineData(30, "missing<1%", ThresholdOutcome.WithinError)]
    [InlineData(3, "missing>3", ThresholdOutcome.Missed)]
    public void Threshold_OnMissing_CountsWhatMayHaveComeTooLate(long late, string text, ThresholdOutcome expected)
    {
        var tally = new DelayTally { DeadlineNs = 1_000 * Millisecond };
        Record(tally, 1_000 - late, 5 * Millisecond, 6 * Millisecond);
        Record(tally, late, 5 * Millisecond, 2_500 * Millisecond);

        var result = Threshold.Parse(text).Evaluate(MetricsOf(tally, 1_000));

        result.Outcome.ShouldBe(expected);
        if (expected == ThresholdOutcome.WithinError)
            result.ToString().ShouldContain($"{late} keys were found after their deadline");
    }

    /// <summary>Reading ended before the deadline of some keys: they may have been missing.</summary>
    [Theory]
    [InlineData("missing==2", ThresholdOutcome.MissingSamples)]
    [InlineData("missing<1%", ThresholdOutcome.MissingSamples)]
    [InlineData("missing<2", ThresholdOutcome.Missed)]
    [InlineData("missing>=2", ThresholdOutcome.Met)]
    public void Threshold_OnMissing_CountsWhatWasNotReadToItsEnd(string text, ThresholdOutcome expected)
    {
        var counts = default(DelayCounts) with { Asked = 1_000, Read = 898, Missing = 2 };
        counts.Waiting.ShouldBe(100);

        var result = Threshold.Parse(text).Evaluate(DelayMetrics.Of(TallyOf(898, 1, 2), () => counts));

        result.Outcome.ShouldBe(expected);
        if (expected == ThresholdOutcome.MissingSamples)
            result.ToString().ShouldContain("not known, because of 100 keys nothing is known");
    }

    private static PercentileRow RowOf(LatencySeries series, double percentile) =>
        series.Percentiles.Single(row => row.Percentile == percentile);

    private static MetricSet MetricsOf(DelayTally tally, long asked) =>
        DelayMetrics.Of(tally, () => default(DelayCounts) with { Asked = asked, Read = asked });

    private static DelayTally TallyOf(long keys, long leastNs, long mostNs)
    {
        var tally = new DelayTally();
        Record(tally, keys, leastNs, mostNs);
        return tally;
    }

    private static void Record(DelayTally tally, long keys, long leastNs, long mostNs)
    {
        for (long key = 0; key < keys; key++)
            tally.Record(1_000, 1_000, 1_000 + leastNs, 1_000 + mostNs);
        tally.Parts.Take();
    }
}

internal static class TakenSeries
{
    /// <summary>Takes what was recorded.</summary>
    public static void Take(this IEnumerable<MetricSeries> series)
    {
        var set = new MetricSet();
        foreach (var one in series)
            set.Add(one);
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();
    }
}
