using System.Globalization;
using System.Text.Json;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Formats;

/// <summary>The rows of memtier_benchmark's JSON, in milliseconds: an operation, or all together.</summary>
internal sealed class MemtierRows(Utf8JsonWriter json, ExportedPhase phase)
{
    private const double Millisecond = 1e6;
    private const long Microsecond = 1_000;
    private const long LongestUs = 3_600_000_000;
    private const int StepsPerHalfDistance = 10;

    private static readonly double[] Percentiles = [50, 99, 99.9];

    private readonly HistogramEncoder _encoder = new();

    public void WriteRow(string name, OperationResult? operation)
    {
        var series = phase.SeriesOf(operation);
        var figures = phase.FiguresOf(operation, Measured.Service);
        var count = CountOf(Counted.Completed) ?? 0;
        // As the rate of all says it, which another tool knew better than its time.
        var whole = phase.Summary.Count(Counted.Completed) ?? 0;
        var seconds = phase.Summary.Rates.Achieved is > 0 and var rate && whole > 0
            ? whole / rate
            : phase.Summary.DurationNs / 1e9;
        json.WriteStartObject(name);
        json.WriteNumber("Count", count);
        Number("Ops/sec", count / seconds, "F2");
        Number("Hits/sec", CountOf(Counted.Hits) / seconds, "F2");
        Number("Misses/sec", CountOf(Counted.Misses) / seconds, "F2");
        // What is lost with a connection is not told of each operation.
        var lost = operation is null ? phase.Summary.Count(Counted.ConnectionsLost) : null;
        Number("Connection Errors/sec", lost / seconds, "F2");
        Number("Connection Errors", lost, "F0");
        Number("Latency", figures?.Mean / Millisecond);
        Number("Average Latency", figures?.Mean / Millisecond);
        Number("Accumulated Latency", figures?.Mean * count / Millisecond, "F0");
        Number("Min Latency", figures?.Min / Millisecond);
        Number("Max Latency", figures?.Max / Millisecond);
        foreach (var bytes in new[] { "KB/sec", "KB/sec RX/TX", "KB/sec RX", "KB/sec TX" })
            json.WriteNull(bytes);
        WriteSeconds(series);
        json.WriteStartObject("Percentile Latencies");
        var hasHistogram = series.Total.TotalCount > 0;
        foreach (var percentile in hasHistogram ? Percentiles : [.. Percentiles.Union(Known(figures)).Order()])
            Number(NameOf(percentile), figures?.Percentiles.At(percentile)?.Value / Millisecond);
        // An empty one would be read as that of nothing.
        if (hasHistogram)
        {
            json.WriteStartObject("Histogram log format");
            json.WriteString(
                "Compressed Histogram",
                Convert.ToBase64String(_encoder.EncodeCompressed(InMicroseconds(series.Total))));
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();

        long? CountOf(Metric metric) => phase.Summary.Count(metric, operation?.Name);
    }

    public void WriteDistribution(string name, OperationResult operation)
    {
        json.WriteStartArray(name);
        foreach (var step in phase.SeriesOf(operation).Total.Percentiles(StepsPerHalfDistance))
        {
            json.WriteStartObject();
            Number("<=msec", step.Value / Millisecond);
            Number("percent", step.Percentile);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private void WriteSeconds(ExportedSeries series)
    {
        var start = phase.Start;
        json.WriteStartObject("Time-Serie");
        foreach (var (at, values) in series.Seconds)
        {
            var second = Math.Round((at - start)!.Value.TotalSeconds).ToString("F0", CultureInfo.InvariantCulture);
            json.WriteStartObject(second);
            json.WriteNull("Bytes RX");
            json.WriteNull("Bytes TX");
            json.WriteNumber("Count", values.TotalCount);
            if (values.TotalCount > 0)
            {
                Number("Average Latency", values.Mean / Millisecond);
                Number("Accumulated Latency", values.Mean * values.TotalCount / Millisecond, "F0");
                Number("Min Latency", values.Min / Millisecond);
                Number("Max Latency", values.Max / Millisecond);
                foreach (var percentile in Percentiles)
                    Number(NameOf(percentile), values.ValueAtPercentile(percentile) / Millisecond);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:F2}");

    // Without a histogram a percentile that is not named here would be lost; two decimals tell them apart.
    private static IEnumerable<double> Known(LatencySeries? figures) => (figures?.Percentiles ?? [])
        .Where(row => row.IsKnown && Math.Round(row.Percentile, 2).Equals(row.Percentile))
        .Select(row => row.Percentile);

    private static LatencyHistogram InMicroseconds(LatencyHistogram values)
    {
        var converted = new LatencyHistogram(1, LongestUs, 3);
        foreach (var recorded in values.RecordedValues)
            converted.Record(recorded.Highest / Microsecond, recorded.Count);
        return converted;
    }

    // As memtier prints numbers; null where one is not known.
    private void Number(string name, double? value, string format = "F3")
    {
        json.WritePropertyName(name);
        if (value is { } known && double.IsFinite(known))
            json.WriteRawValue(known.ToString(format, CultureInfo.InvariantCulture));
        else
            json.WriteNullValue();
    }
}
