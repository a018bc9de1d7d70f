using System.Diagnostics.Metrics;
using RedisLatency.Fixtures;

namespace RedisLatency.Hosting.Telemetry;

public sealed class MetricCollectorTests : IDisposable
{
    private readonly Meter _meter = new("RedisLatency.Tests");

    public void Dispose() => _meter.Dispose();

    [Fact]
    public void Collect_OfEveryKindOfInstrument_HoldsToTheFormat()
    {
        using var collector = new MetricCollector(_meter);
        var delay = _meter.CreateHistogram("some.delay", "s", "How long it took.", tags: null, DurationBuckets.Advice);
        var sent = _meter.CreateCounter<long>("some.messages", "{message}", "Messages.");
        var age = 1.5;
        _meter.CreateObservableGauge("some.age", () => age, "s", "How old it is.");
        _meter.CreateObservableCounter("some.bytes", () => new Measurement<long>(7, [new("way", "in")]), "By", "Bytes.");
        delay.Record(0.0001, new KeyValuePair<string, object?>("shard", "a"));
        delay.Record(0.3, new KeyValuePair<string, object?>("shard", "a"));
        delay.Record(20, new KeyValuePair<string, object?>("shard", null));
        sent.Add(2);
        sent.Add(3);

        var text = PrometheusText.Parse(collector.Collect());

        text.Families.ShouldBe(["some_age_seconds", "some_bytes_total", "some_delay_seconds", "some_messages_total"]);
        text.TypeOf("some_delay_seconds").ShouldBe("histogram");
        text.Value("some_delay_seconds_bucket", "shard=\"a\"", "le=\"0.0001\"").ShouldBe(1);
        text.Value("some_delay_seconds_bucket", "shard=\"a\"", "le=\"10\"").ShouldBe(2);
        text.Value("some_delay_seconds_sum", "shard=\"a\"").ShouldBe(0.3001, 1e-9);
        // A label without a value is no label.
        text.Samples("some_delay_seconds_count")[string.Empty].ShouldBe(1);
        text.Samples("some_messages_total").ShouldBe(new Dictionary<string, double> { [string.Empty] = 5 });
        text.Value("some_age_seconds").ShouldBe(1.5);
        text.Value("some_bytes_total", "way=\"in\"").ShouldBe(7);
    }

    [Fact]
    public void Collect_OfNegativeValues_KeepsThemApartWithTheirSignTurned()
    {
        using var collector = new MetricCollector(_meter);
        var delay = _meter.CreateHistogram("one.way", "s", "One way.", tags: null, DurationBuckets.Advice);
        delay.Record(-0.002);
        delay.Record(0.004);

        var text = PrometheusText.Parse(collector.Collect());

        text.Value("one_way_seconds_sum").ShouldBe(0.004);
        text.Value("one_way_negative_seconds_sum").ShouldBe(0.002);
        text.Value("one_way_negative_seconds_count").ShouldBe(1);
    }

    [Fact]
    public void Collect_OfLabelsAndHelpWithSpecialCharacters_EscapesThem()
    {
        const string Nasty = "a\"b\\c\nd, e}";
        using var collector = new MetricCollector(_meter);
        _meter.CreateObservableGauge("nasty", () => new Measurement<int>(1, [new("label", Nasty)]), null, "One\\two\nthree.");

        var page = collector.Collect();

        var labels = PrometheusText.Parse(page).Samples("nasty").Keys.ShouldHaveSingleItem();
        PrometheusText.Unescaped(labels).ShouldBe($"{{label=\"{Nasty}\"}}");
        page.ShouldContain("# HELP nasty One\\\\two\\nthree.\n");
    }

    [Fact]
    public void Collect_OfWhatIsNotToldAnyMore_LeavesItOut()
    {
        using var collector = new MetricCollector(_meter);
        var shards = new List<string> { "a", "b" };
        _meter.CreateObservableGauge(
            "shard", () => shards.Select(shard => new Measurement<int>(1, [new("shard", shard)])));
        collector.Collect();

        shards.Remove("a");

        PrometheusText.Parse(collector.Collect()).Samples("shard").Keys.ShouldBe(["{shard=\"b\"}"]);
    }

    [Fact]
    public void Collect_OfAnotherMeter_LeavesItOut()
    {
        using var other = new Meter("RedisLatency.Tests");
        other.CreateObservableGauge("other", () => 1);
        using var collector = new MetricCollector(_meter);

        collector.Collect().ShouldBeEmpty();
    }
}
