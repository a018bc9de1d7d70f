using System.Text.Json;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Monitoring;

/// <summary>Windows and events, heartbeat.ndjson: one JSON object a line, kind first, times in nanoseconds.</summary>
internal sealed class WindowLog(LineFile file, WindowMetrics metrics)
{
    public const string FileName = "heartbeat.ndjson";

    private static readonly string[] Spans = ["1m", "5m", "15m"];

    private readonly JsonLines _lines = new(file);

    public void Write(WindowFigures window) => _lines.Write("window", json =>
    {
        json.WriteString("start", window.Start);
        json.WriteNumber("lengthNs", window.Length.InNanoseconds);
        foreach (var (name, count) in DelayMetrics.LoggedBeats(window.Counts))
            json.WriteNumber(name, count);
        json.WriteNumber("ageNs", window.Counts.AgeNs);
        json.WriteNumber("longestAgeNs", window.LongestAgeNs);
        json.WriteNumber("errorNs", window.ErrorNs);
        WriteFigures(json, metrics.Main.Series.Metric.Name, window, figure => figure.Value);
        WriteFigures(json, "least", window, figure => figure.Least);
        WriteFigures(json, "most", window, figure => figure.Most);
        json.WriteStartObject("average");
        for (var i = 0; i < Spans.Length; i++)
            WriteNumber(json, Spans[i], window.Averages[i].Value);
        json.WriteEndObject();
        json.WriteStartArray("alerts");
        foreach (var alert in window.Alerts)
            json.WriteStringValue(alert);
        json.WriteEndArray();
    });

    public void Write(SessionEvent happened, WallClockMapping wallClock) => _lines.Write("event", json =>
    {
        json.WriteString("at", wallClock.ToUtc(happened.AtNs));
        json.WriteString("event", happened.Kind);
        json.WriteString("text", happened.Text);
    });

    private static void WriteFigures(
        Utf8JsonWriter json, string name, WindowFigures window, Func<WindowFigure, double?> end)
    {
        json.WriteStartObject(name);
        foreach (var (figure, value) in window.Figures)
            WriteNumber(json, figure, end(value));
        json.WriteEndObject();
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, double? nanoseconds)
    {
        if (nanoseconds is { } known)
            json.WriteNumber(name, (long)Math.Round(known));
        else
            json.WriteNull(name);
    }
}
