using System.Globalization;
using System.Text.Json;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Reports.Page;

/// <summary>The offset of a consumer's clock, as <c>clock.ndjson</c> has it: docs/results.md.</summary>
public sealed class OffsetWindows
{
    private const string FileName = "clock.ndjson";

    // A window has half a kilobyte, and there are at most a few each second.
    private const long LargestFile = 1L << 30;

    private readonly SortedDictionary<int, string> _names = [];
    private readonly Dictionary<int, List<OffsetWindowPoint>> _windows = [];
    private readonly List<(DateTimeOffset At, string Text)> _breaks = [];
    private decimal _unixLessMonotonic;

    private OffsetWindows(string file)
    {
        using var reader = new StreamReader(LimitedFile.OpenRead(file, LargestFile));
        while (reader.ReadLine() is { } line)
        {
            using var document = Parse(line);
            // The last line of a killed run may be torn.
            if (document?.RootElement is { ValueKind: JsonValueKind.Object } element)
                Read(element);
        }
    }

    /// <summary>Steps and the like, in order.</summary>
    public IReadOnlyList<(DateTimeOffset At, string Text)> Breaks => _breaks;

    /// <summary>Every consumer's windows by its name.</summary>
    public IEnumerable<(string Name, IReadOnlyList<OffsetWindowPoint> Windows)> Pairs =>
        from pair in _names
        where _windows.ContainsKey(pair.Key)
        select (pair.Value, (IReadOnlyList<OffsetWindowPoint>)_windows[pair.Key]);

    /// <summary>Null where there are none, or they cannot be understood.</summary>
    public static OffsetWindows? In(string folder)
    {
        if (ResultsFolder.Find(folder, FileName) is not { } file)
            return null;
        try
        {
            return new OffsetWindows(file);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or InvalidOperationException or FormatException or KeyNotFoundException or OverflowException)
        {
            return null;
        }
    }

    private static JsonDocument? Parse(string line)
    {
        try
        {
            return JsonDocument.Parse(line);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private void Read(JsonElement element)
    {
        switch (element.GetProperty("kind").GetString())
        {
            case "clocks":
                _unixLessMonotonic = element.GetProperty("unixNs").GetDecimal()
                    - element.GetProperty("monotonicNs").GetDecimal();
                break;
            case "pair":
                _names[element.GetProperty("pair").GetInt32()] =
                    $"{element.GetProperty("target").GetString()}, {element.GetProperty("consumer").GetString()}";
                break;
            case "window":
                ReadWindow(element);
                break;
        }
    }

    private void ReadWindow(JsonElement window)
    {
        var pair = window.GetProperty("pair").GetInt32();
        if (!_windows.TryGetValue(pair, out var windows))
            _windows.Add(pair, windows = []);
        var start = At(window.GetProperty("startNs"));
        if (window.GetProperty("break").GetString() is { } why and not "none" and not "start")
        {
            var step = window.TryGetProperty("stepNs", out var by) && by.GetDouble() != 0
                ? string.Create(CultureInfo.InvariantCulture, $" by {by.GetDouble() / 1e6:0.###} ms")
                : string.Empty;
            _breaks.Add((start, $"{_names.GetValueOrDefault(pair)}: {why}{step}"));
        }

        // What claims make of it is what messages were corrected by.
        var bound = window.TryGetProperty("claimed", out var claimed) ? claimed : window;
        windows.Add(window.GetProperty("isBounded").GetBoolean()
            ? new OffsetWindowPoint(
                start, bound.GetProperty("offsetNs").GetDouble(), bound.GetProperty("errorNs").GetDouble())
            : new OffsetWindowPoint(start, null, null));
    }

    private DateTimeOffset At(JsonElement monotonicNs) => DateTimeOffset.UnixEpoch
        + TimeSpan.FromTicks((long)((monotonicNs.GetDecimal() + _unixLessMonotonic) / 100));
}

/// <summary>θ and E from a moment on, in nanoseconds; null where nothing bounds θ.</summary>
public sealed record OffsetWindowPoint(DateTimeOffset Start, double? OffsetNs, double? ErrorNs);
