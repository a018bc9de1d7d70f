using System.Text.Json;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Lab.Worlds;

/// <summary>Reads the offset windows of <c>clock.ndjson</c>.</summary>
internal static class ClockLogReader
{
    /// <summary>The windows of the first pair, in their order.</summary>
    public static IReadOnlyList<OffsetWindow> Read(string path)
    {
        var windows = new List<OffsetWindow>();
        foreach (var line in File.ReadLines(path))
        {
            try
            {
                using var document = JsonDocument.Parse(line);
                var root = document.RootElement;
                if (root.GetProperty("kind").GetString() == "window" && root.GetProperty("pair").GetInt32() == 0)
                    windows.Add(ReadWindow(root));
            }
            catch (Exception failure) when (failure
                is JsonException or KeyNotFoundException or FormatException or InvalidOperationException)
            {
                throw new InvalidDataException($"{path}: {failure.Message}: {line}", failure);
            }
        }

        // What was learned of the crystals holds for the windows before, too.
        var oscillatorPpm = windows.Select(window => window.OscillatorPpm).DefaultIfEmpty().Max();
        return [.. windows.Select(window => window.WithOscillator(oscillatorPpm))];
    }

    private static OffsetWindow ReadWindow(JsonElement window) => new()
    {
        StartNs = Long(window, "startNs"),
        EndNs = Long(window, "endNs"),
        ReferenceNs = Long(window, "referenceNs"),
        IsBounded = window.GetProperty("isBounded").GetBoolean(),
        OffsetNs = LongOr0(window, "offsetNs"),
        ErrorAtStartNs = LongOr0(window, "errorAtStartNs"),
        ErrorAtReferenceNs = LongOr0(window, "errorAtReferenceNs"),
        ErrorAtEndNs = LongOr0(window, "errorAtEndNs"),
        SkewPpm = Double(window, "skewPpm", 0),
        SkewLowPpm = Double(window, "skewLowPpm", double.NegativeInfinity),
        SkewHighPpm = Double(window, "skewHighPpm", double.PositiveInfinity),
        DriftPpm = Double(window, "driftPpm", 0),
        OscillatorPpm = window.GetProperty("oscillatorPpm").GetDouble(),
        ProbeLowNs = LongOr0(window, "probeLowNs"),
        ProbeHighNs = LongOr0(window, "probeHighNs"),
        StepNs = Long(window, "stepNs"),
        StepErrorNs = window.TryGetProperty("stepErrorNs", out var stepError) ? stepError.GetInt64() : null,
        Probes = (int)Long(window, "probes"),
        Break = BreakOf(window.GetProperty("break").GetString()),
        IsProven = window.GetProperty("isProven").GetBoolean(),
        IsContradicted = window.GetProperty("isContradicted").GetBoolean(),
    };

    private static OffsetBreak BreakOf(string? name) => Enum.GetValues<OffsetBreak>()
        .Cast<OffsetBreak?>()
        .FirstOrDefault(cause => JsonNamingPolicy.KebabCaseLower.ConvertName($"{cause}") == name)
        ?? throw new FormatException($"{name} is no break of an offset");

    private static long Long(JsonElement window, string name) => window.GetProperty(name).GetInt64();

    // What is not known of an unbounded window is not there.
    private static long LongOr0(JsonElement window, string name) =>
        window.TryGetProperty(name, out var value) ? value.GetInt64() : 0;

    private static double Double(JsonElement window, string name, double otherwise) =>
        window.TryGetProperty(name, out var value) ? value.GetDouble() : otherwise;
}
