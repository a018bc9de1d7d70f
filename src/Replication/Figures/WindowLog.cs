using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Figures;

/// <summary>Windows and events, heartbeat.ndjson: one JSON object a line, kind first, times in nanoseconds.</summary>
internal sealed class WindowLog(LineFile file, HeartbeatSeries series)
{
    public const string FileName = "heartbeat.ndjson";

    private static readonly string[] Spans = ["1m", "5m", "15m"];

    private readonly JsonLines _lines = new(file);

    public void Write(WindowFigures window) => _lines.Write("window", json =>
    {
        json.WriteString("start", window.Start);
        json.WriteNumber("lengthNs", window.Length.InNanoseconds);
        WriteCounts(json, window.Counts);
        json.WriteNumber("ageNs", window.Counts.AgeNs);
        json.WriteNumber("longestAgeNs", window.LongestAgeNs);
        json.WriteNumber("errorNs", window.ErrorNs);
        WriteFigures(json, series.Main.Series.Metric.Name, window, figure => figure.Value);
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

    private static void WriteCounts(Utf8JsonWriter json, HeartbeatCounts counts)
    {
        json.WriteNumber("asked", counts.Asked);
        json.WriteNumber("unsent", counts.Unsent);
        json.WriteNumber("refused", counts.Refused);
        json.WriteNumber("seen", counts.Seen);
        json.WriteNumber("skipped", counts.Skipped);
        json.WriteNumber("waiting", counts.Waiting);
        json.WriteNumber("overwritten", counts.Foreign);
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, double? nanoseconds)
    {
        if (nanoseconds is { } known)
            json.WriteNumber(name, (long)Math.Round(known));
        else
            json.WriteNull(name);
    }
}

/// <summary>Reports, logs and counts each event once; a literal repetition within a minute is only counted.</summary>
internal sealed class HeartbeatEvents
{
    private readonly SessionEvents _events;
    private readonly ILogger _logger;
    private readonly Action<string, Func<double?>> _serve;
    private readonly EventRepetition _repetition = new();
    private readonly Dictionary<string, StrongBox<long>> _counts = [];
    private long _taken;

    // serve: takes each kind of event, and what counts it.
    public HeartbeatEvents(SessionEvents events, ILogger logger, Action<string, Func<double?>> serve)
    {
        (_events, _logger, _serve) = (events, logger, serve);
        // Who counts their increase has to know them before the first one.
        CountOf(AlertBoard.Raised);
        CountOf(AlertBoard.Cleared);
    }

    public void Report(WindowLog log)
    {
        var unreported = _events.TakeSince(ref _taken);
        if (unreported.Count == 0)
            return;
        var wallClock = WallClockMapping.Sample();
        foreach (var happened in unreported)
        {
            Interlocked.Increment(ref CountOf(happened.Kind).Value);
            if (_repetition.Is(happened))
                continue;
            var at = wallClock.ToUtc(happened.AtNs).ToString("HH:mm:ss", CultureInfo.InvariantCulture);
            if (happened.Kind is AlertBoard.Raised or AlertBoard.Cleared)
                ReplicationLog.Alert(_logger, at, happened.Kind, happened.Text);
            else
                ReplicationLog.HappenedAt(_logger, at, happened.Text);
            log.Write(happened, wallClock);
        }
    }

    private StrongBox<long> CountOf(string kind)
    {
        if (!_counts.TryGetValue(kind, out var count))
        {
            _counts.Add(kind, count = new());
            _serve(kind, () => Volatile.Read(ref count.Value));
        }

        return count;
    }
}
