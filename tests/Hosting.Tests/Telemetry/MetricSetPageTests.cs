using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

public class MetricSetPageTests
{
    [Fact]
    public void Sets_AreOneFamilyForEachMetric_UnderTheNamesOfOpenTelemetry()
    {
        var page = new MetricSetPage(new TelemetryNames("redislatency.tested"));
        page.Add(SetOf("a", lost: 3));
        page.Add(SetOf("b", lost: 4));
        // As where one endpoint is given twice: a page with two of one name would be refused as a whole.
        page.Add(SetOf("b", lost: 5));

        var text = PrometheusText.Parse(page.Write());

        text.Families.ShouldBe(
        [
            "messaging_process_duration_seconds", "redislatency_tested_age_seconds", "redislatency_tested_lost_total",
            "redislatency_tested_open", "redislatency_tested_rate_ratio",
        ]);
        text.Value("redislatency_tested_lost_total", "target=\"a\"").ShouldBe(3);
        text.Value("redislatency_tested_lost_total", "target=\"b\"").ShouldBe(4);
        text.Value("redislatency_tested_rate_ratio", "target=\"a\"").ShouldBe(0.5);
        text.Value("redislatency_tested_age_seconds", "target=\"a\"").ShouldBe(2.5);
        text.TypeOf("redislatency_tested_open").ShouldBe("gauge");
    }

    [Fact]
    public void Histogram_IsInBuckets_OnceWhereAnotherIsItsSum()
    {
        var page = new MetricSetPage(new TelemetryNames("redislatency.tested"));
        page.Add(SetOf("a", lost: 0));

        var text = PrometheusText.Parse(page.Write());

        text.TypeOf("messaging_process_duration_seconds").ShouldBe("histogram");
        Bucket("2.5E-05").ShouldBe(0);
        Bucket("5E-05").ShouldBe(2);
        Bucket("0.0005").ShouldBe(2);
        Bucket("0.005").ShouldBe(3);
        Bucket("+Inf").ShouldBe(4);
        text.Value("messaging_process_duration_seconds_sum", "target=\"a\"").ShouldBe(60.00406, 0.07);

        double Bucket(string bound) =>
            text.Value(
                "messaging_process_duration_seconds_bucket", "target=\"a\"", $"le=\"{bound}\"", "system=\"redis\"");
    }

    /// <summary>Negative by what two clocks may be off, and longer than the histogram's range.</summary>
    [Fact]
    public void Histogram_HasWhatIsOutOfItsRangeInTheBucketsAtItsEnds()
    {
        var total = LatencyHistogram.ForLatency();
        foreach (var ns in (long[])[-2_000_000, 4_000_000, long.MaxValue])
            total.Record(ns);
        var set = new MetricSet();
        set.Add(new("delay", MetricKind.Durations, "One way."), total);
        var page = new MetricSetPage(new TelemetryNames("redislatency.tested"));
        page.Add(set);

        var text = PrometheusText.Parse(page.Write());

        text.Value("redislatency_tested_delay_seconds_bucket", "le=\"2.5E-05\"").ShouldBe(1);
        text.Value("redislatency_tested_delay_seconds_bucket", "le=\"10\"").ShouldBe(2);
        text.Value("redislatency_tested_delay_seconds_count").ShouldBe(3);
    }

    /// <summary>Percentiles of a page would else be of what survived.</summary>
    [Fact]
    public void Histogram_HasWhatNeverGotAValueAboveAllBounds()
    {
        var recorder = new LatencyRecorder();
        recorder.Record(4_000_000);
        var missing = 2L;
        var series = new MetricSeries(new("delay", MetricKind.Durations, "One way."), recorder)
        {
            MissingSoFar = () => (missing, 9_000_000),
        };
        var set = new MetricSet();
        set.Add(series);
        var page = new MetricSetPage(new TelemetryNames("redislatency.tested"));
        page.Add(set);
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();
        missing = 5;
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();

        var text = PrometheusText.Parse(page.Write());

        text.Value("redislatency_tested_delay_seconds_bucket", "le=\"10\"").ShouldBe(1);
        text.Value("redislatency_tested_delay_seconds_bucket", "le=\"+Inf\"").ShouldBe(6);
        text.Value("redislatency_tested_delay_seconds_count").ShouldBe(6);
        text.Value("redislatency_tested_delay_seconds_sum").ShouldBeInRange(0.004, 0.00401);

        series.CountMissing(due: 4);

        series.Total.Missing.ShouldBe(3, "what is known at the end is not added to what was thought before");
        series.Total.MissingAtLeast.ShouldBe(9_000_000);
    }

    [Fact]
    public void LabelsAndHelp_WithSpecialCharacters_AreEscaped()
    {
        const string Nasty = "a\"b\\c\nd, e}";
        var set = new MetricSet(labels: new KeyValuePair<string, object?>("none", null));
        set.Add(new("nasty", MetricKind.Gauge, "One\\two\nthree.") { Labels = [new("label", Nasty)] }, () => 1);
        var page = new MetricSetPage(new TelemetryNames("tested"));
        page.Add(set);

        var text = page.Write();

        var labels = PrometheusText.Parse(text).Samples("tested_nasty").Keys.ShouldHaveSingleItem();
        PrometheusText.Unescaped(labels).ShouldBe($"{{label=\"{Nasty}\"}}", "a label without a value is no label");
        text.ShouldContain("# HELP tested_nasty One\\\\two\\nthree.\n");
    }

    private static MetricSet SetOf(string target, long lost)
    {
        var recorder = new LatencyRecorder();
        foreach (var ns in (long[])[30_000, 30_000, 4_000_000, 60_000_000_000])
            recorder.Record(ns);
        var part = new MetricSeries(
            new("kept", MetricKind.Durations, "How long.")
            {
                Instrument = "messaging.process.duration",
                Labels = [new("system", "redis")],
            },
            recorder);
        var set = new MetricSet(labels: new KeyValuePair<string, object?>("target", target));
        set.Add(part);
        set.Add(new MetricSeries(new("all", MetricKind.Durations, "All."), [part]));
        set.Add(new("lost", MetricKind.Counter, "Lost."), () => lost);
        set.Add(new("open", MetricKind.Gauge, "Open."), () => 7);
        set.Add(new("rate", MetricKind.Ratio, "Rate."), () => 0.5);
        set.Add(new("age", MetricKind.Duration, "Age."), () => 2_500_000_000);
        set.Add(new("unknown", MetricKind.Counter, "Not known yet."), () => null);
        set.Add(new("never", MetricKind.Ratio, "Never known."), () => double.NaN);
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();
        return set;
    }
}
