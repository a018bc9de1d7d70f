using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// What YCSB prints at the end: lines <c>[READ], Operations, 1000</c>, or JSON by one of its two exporters. It names
/// few percentiles, of each operation, and none of all together.
/// </summary>
internal sealed partial class YcsbResults
{
    private const string Overall = "OVERALL";
    private const string Operations = "Operations";
    private const string Failed = "-FAILED";
    private const string Intended = "Intended-";
    private const string Cleanup = "CLEANUP";

    private readonly Dictionary<string, Dictionary<string, double>> _metrics = [];

    public static bool IsIn(string text) => Line().IsMatch(text)
        || (text.AsSpan().TrimStart() is ['{' or '[', ..] && text.Contains("\"measurement\"", StringComparison.Ordinal)
            && text.Contains("\"metric\"", StringComparison.Ordinal));

    public static ImportedMeasurement Read(ForeignFile file, string text)
    {
        var results = new YcsbResults();
        var isJson = text.AsSpan().TrimStart() is ['{', ..] or ['[', '\r' or '\n' or ' ' or '{', ..];
        if (isJson)
            results.ReadJson(text);
        else
            results.ReadLines(text);
        return results.Create(file, isJson ? "JSON" : "text", Version().Match(text) is { Success: true } version
            ? version.Groups[1].Value : null);
    }

    private void ReadLines(string text)
    {
        if (!text.EndsWith('\n'))
            throw new ImportException("the last line has no end: it is truncated");
        foreach (var line in text.Split('\n'))
        {
            if (Line().Match(line) is { Success: true } value)
                Add(value.Groups[1].Value, value.Groups[2].Value, value.Groups[3].Value);
            else if (line.TrimStart().StartsWith('['))
                throw new ImportException($"'{line.Trim()}' is not a whole line of YCSB's");
        }
    }

    // Objects one behind the other, or an array of them.
    private void ReadJson(string text)
    {
        var reader = new Utf8JsonReader(
            Encoding.UTF8.GetBytes(text), new JsonReaderOptions { AllowMultipleValues = true });
        while (reader.Read())
        {
            if (reader.TokenType != JsonTokenType.StartObject)
                continue;
            using var value = JsonDocument.ParseValue(ref reader);
            if (JsonFacts.Text(value.RootElement, "metric") is not { } metric
                || JsonFacts.Text(value.RootElement, "measurement") is not { } measurement)
                throw new ImportException("an object without metric and measurement, which YCSB does not write");
            if (JsonFacts.Number(value.RootElement, "value") is { } number)
                Add(metric, measurement, number.ToString(CultureInfo.InvariantCulture));
        }
    }

    private void Add(string metric, string measurement, string value)
    {
        // Of nothing it prints NaN.
        if (!double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            || !double.IsFinite(number))
            return;
        if (!_metrics.TryGetValue(metric, out var measurements))
            _metrics.Add(metric, measurements = []);
        measurements[measurement] = number;
    }

    private ImportedMeasurement Create(ForeignFile file, string form, string? version)
    {
        var names = _metrics.Keys.Where(IsOperation).ToList();
        if (names.Count == 0)
            throw new ImportException("YCSB's result has no operation: it is truncated, or nothing was done");
        var phase = new ImportedPhase("run")
        {
            Verb = names is ["INSERT"] ? "load" : "run",
            DurationNs = ValueOf(Overall, "RunTime(ms)") is { } time ? (long)GivenFigures.Nanoseconds(time, 1e6) : null,
            Achieved = ValueOf(Overall, "Throughput(ops/sec)"),
        };
        foreach (var name in names)
        {
            var (plain, sent) = (ImportedPhase.Plain(name), AddOperation(phase, name));
            if (_metrics.ContainsKey(Intended + name))
                phase.Add(SeriesOf(Intended + name, Measured.OfOperation(plain, Measured.Response), sent));
            phase.Add(SeriesOf(name, Measured.OfOperation(plain, Measured.Service), sent));
        }

        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = "YCSB",
                Version = version,
                File = file.Name,
                Form = form,
                ResolutionNs = 1_000,
                Facts = _metrics.Where(metric => !IsOperation(metric.Key) && !metric.Key.Contains(Cleanup)
                        && !metric.Key.StartsWith(Intended, StringComparison.Ordinal))
                    .SelectMany(metric => metric.Value.Select(value => (metric.Key, value)))
                    .ToDictionary(fact => $"{fact.Key} {fact.value.Key}",
                        fact => fact.value.Value.ToString(CultureInfo.InvariantCulture)),
            },
            Summaries = [phase.AddSums().Create()],
            Notes =
            [
                .. names.Exists(name => _metrics.ContainsKey(Intended + name)) ? Array.Empty<string>() :
                [
                    "YCSB does not say whether it timed from the actual start (service) or, with "
                        + "measurement.interval=intended, from the intended one.",
                ],
                "YCSB gives no percentile of all operations together; that of CLEANUP, which is none, is left out.",
            ],
        };
    }

    private bool IsOperation(string metric) =>
        _metrics[metric].ContainsKey(Operations) && metric != Cleanup
        && !metric.EndsWith(Failed, StringComparison.Ordinal) && !metric.StartsWith(Intended, StringComparison.Ordinal);

    // How many were sent; null where YCSB does not say.
    private long? AddOperation(ImportedPhase phase, string metric)
    {
        var timed = GivenFigures.Whole(ValueOf(metric, Operations) ?? 0);
        var returned = _metrics[metric].Where(one => one.Key.StartsWith("Return=", StringComparison.Ordinal)
            && !IsOk(one.Key)).ToList();
        var isTold = _metrics.ContainsKey(metric + Failed)
            || _metrics[metric].Keys.Any(key => key.StartsWith("Return=", StringComparison.Ordinal));
        var errors = Math.Max(
            GivenFigures.Whole(returned.Sum(one => one.Value)),
            GivenFigures.Whole(ValueOf(metric + Failed, Operations) ?? 0));
        // What failed is timed apart, or not at all; where it is among the others, as here, it is counted once.
        var succeeded = _metrics[metric].Keys.Any(IsOk)
            ? GivenFigures.Whole(_metrics[metric].Where(one => IsOk(one.Key)).Sum(one => one.Value))
            : timed;
        var sent = Math.Max(timed, succeeded + errors);
        phase.Add(
            new OperationResult
            {
                Name = ImportedPhase.Plain(metric),
                Command = metric,
                ErrorReplies = returned.ToDictionary(
                    one => one.Key["Return=".Length..], one => GivenFigures.Whole(one.Value)),
            },
            (Counted.Sent, isTold ? sent : null), (Counted.Completed, isTold ? sent - errors : timed),
            (Counted.Errors, isTold ? errors : null));
        return isTold ? sent : null;
    }

    // Of the first versions 0 is OK.
    private static bool IsOk(string measurement) => measurement is "Return=OK" or "Return=BATCHED_OK" or "Return=0";

    private LatencySeries SeriesOf(string metric, string name, long? sent)
    {
        var count = ValueOf(metric, Operations) is { } timed ? GivenFigures.Whole(timed) : (long?)null;
        var percentiles = new Dictionary<double, double>();
        foreach (var (measurement, value) in _metrics[metric])
        {
            if (Percentile().Match(measurement) is { Success: true } match
                && double.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture) is > 0 and < 100 and var part)
                percentiles[part] = GivenFigures.Nanoseconds(value, match.Groups[2].Value == "us" ? 1e3 : 1e6);
        }

        return new GivenFigures
        {
            Count = count,
            Missing = sent - count is { } missing ? Math.Max(0, missing) : null,
            MinNs = TimeOf("MinLatency"),
            MeanNs = TimeOf("AverageLatency"),
            MaxNs = TimeOf("MaxLatency"),
            Percentiles = percentiles,
        }.ToSeries(name);

        double? TimeOf(string measurement) =>
            ValueOf(metric, $"{measurement}(us)") is { } us ? GivenFigures.Nanoseconds(us, 1e3)
            : ValueOf(metric, $"{measurement}(ms)") is { } ms ? GivenFigures.Nanoseconds(ms, 1e6)
            : null;
    }

    private double? ValueOf(string metric, string measurement) =>
        _metrics.GetValueOrDefault(metric) is { } values && values.TryGetValue(measurement, out var value)
            ? value
            : null;

    [GeneratedRegex(@"^\[([^\]\r\n]{1,100})\], ([^,\r\n]{1,100}), (\S{1,40})\s*$", RegexOptions.Multiline)]
    private static partial Regex Line();

    [GeneratedRegex(@"^(\d{1,3}(?:\.\d{1,9})?)(?:st|nd|rd|th)?PercentileLatency\((us|ms)\)$")]
    private static partial Regex Percentile();

    [GeneratedRegex(@"^YCSB Client (\S{1,40})", RegexOptions.Multiline)]
    private static partial Regex Version();
}
