using System.Diagnostics.Metrics;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

public sealed class MetricInstrumentsTests : IDisposable
{
    private readonly MetricInstruments _instruments = new(new TelemetryNames("redislatency.tested"));
    private readonly MeterListener _listener = new();
    private readonly List<(string Name, double Value, string Labels)> _recorded = [];

    [Fact]
    public void Histogram_IsReplayedOnce_ByTheMiddleOfWhatCountsAsOne()
    {
        var total = LatencyHistogram.ForLatency();
        _instruments.Add(SetOf("a", total));
        Listen();
        total.Record(4_000_000, 3);
        _instruments.Replay();
        _instruments.Replay();
        total.Record(4_000_000, 2);
        total.Record(-5);
        total.Record(0);
        _instruments.Replay();

        _recorded.Count.ShouldBe(7);
        _recorded.Count(one => one.Value is > 0.003_99 and < 0.004_01).ShouldBe(5);
        _recorded.Count(one => one.Value == 0).ShouldBe(2, "what is below the range is its end");
        _recorded.ShouldAllBe(one => one.Name == "redislatency.tested.some_delay" && one.Labels == "target=\"a\"");
    }

    [Fact]
    public void Histogram_ThatNobodyListensTo_IsKeptForWhoComesLater()
    {
        var total = LatencyHistogram.ForLatency();
        _instruments.Add(SetOf("a", total));
        total.Record(4_000_000);
        _instruments.Replay();
        _recorded.ShouldBeEmpty();

        Listen();
        _instruments.Replay();
        _recorded.Count.ShouldBe(1);
    }

    [Fact]
    public void Values_AreThoseOfAllSets_WhenTheyAreAskedFor()
    {
        _instruments.Add(SetOf("a", LatencyHistogram.ForLatency(), lost: 3));
        _instruments.Add(SetOf("b", LatencyHistogram.ForLatency(), lost: 4));
        // As where one endpoint is given twice.
        _instruments.Add(SetOf("b", LatencyHistogram.ForLatency(), lost: 5));
        Listen();
        _listener.RecordObservableInstruments();

        _recorded.Where(one => one.Name == "redislatency.tested.lost").Select(one => (one.Value, one.Labels))
            .ShouldBe([(3, "target=\"a\""), (4, "target=\"b\"")]);
        _recorded.Where(one => one.Name == "redislatency.tested.age").Select(one => one.Value)
            .ShouldBe([2.5, 2.5]);
        _recorded.ShouldNotContain(one => one.Name == "redislatency.tested.unknown");
    }

    public void Dispose()
    {
        _listener.Dispose();
        _instruments.Dispose();
    }

    private static MetricSet SetOf(string target, LatencyHistogram total, double lost = 0)
    {
        var set = new MetricSet(labels: [new("target", target), new("none", null)]);
        set.Add(new("some-delay", MetricKind.Durations), total);
        set.Add(Metric.Counter("lost"), () => lost);
        set.Add(new("age", MetricKind.Duration), () => 2.5e9);
        set.Add(new("unknown", MetricKind.Gauge), () => null);
        return set;
    }

    private void Listen()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == MetricInstruments.MeterName)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<double>((of, value, tags, _) => Note(of, value, tags));
        _listener.SetMeasurementEventCallback<long>((of, value, tags, _) => Note(of, value, tags));
        _listener.Start();
    }

    private void Note(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _recorded.Add((instrument.Name, value, MetricText.LabelsOf(tags.ToArray())));
}
