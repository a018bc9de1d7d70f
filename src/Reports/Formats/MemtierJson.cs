using System.Globalization;
using System.Text;
using System.Text.Json;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// The JSON of memtier_benchmark (<c>--json-out-file</c>): its histograms, which hold microseconds, are in it in the V2
/// encoding of HdrHistogram. dfly_bench writes the same without them.
/// </summary>
internal sealed class MemtierJson
{
    private const string Tool = "memtier_benchmark";
    private const double Millisecond = 1e6;
    private const long Microsecond = 1_000;
    private const string All = "ALL STATS";
    private const string Totals = "Totals";
    private const string Runtime = "Runtime";
    private const string Password = "authenticate";

    private readonly ForeignFile _file;
    private readonly JsonElement _root;
    private readonly List<LoggedInterval> _intervals = [];
    private DateTimeOffset? _start;
    private DateTimeOffset? _end;
    private bool _isInterrupted;
    private bool _hasFewPercentiles;
    private long _resolutionNs;

    private MemtierJson(ForeignFile file, JsonElement root) => (_file, _root) = (file, root);

    public static bool IsIn(JsonElement root) => Sections(root).Any();

    public static ImportedMeasurement Read(ForeignFile file, JsonElement root) => new MemtierJson(file, root).Read();

    private static IEnumerable<JsonProperty> Sections(JsonElement root) => root.EnumerateObject().Where(section =>
        section.Value.ValueKind == JsonValueKind.Object && section.Value.TryGetProperty(Totals, out var totals)
        && totals.ValueKind == JsonValueKind.Object);

    // As one would call it: BEST RUN RESULTS is the best run.
    private static string NameOf(string section) => section == All ? "run"
        : ImportedPhase.Plain(section.Replace("RESULTS", string.Empty, StringComparison.Ordinal));

    private ImportedMeasurement Read()
    {
        var sections = Sections(_root).ToList();
        var summaries = sections.Select(section => PhaseOf(section, sections.Count > 1)).ToList();
        if (summaries.Sum(summary => summary.Count(Counted.Returned) ?? 0) == 0)
            throw new ImportException("memtier_benchmark completed nothing");
        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = Tool,
                File = _file.Name,
                Form = "JSON",
                ResolutionNs = _resolutionNs > 0 ? _resolutionNs : null,
                HasHistograms = _intervals.Count > 0 && !_hasFewPercentiles,
                Facts = FactsOf("run information"),
            },
            Options =
            [
                .. FactsOf("configuration").Where(option => option.Value.Length > 0)
                    .Select(option => new RecordedOption(option.Key, option.Value, OptionSource.File)),
            ],
            Targets = TargetsOf(),
            Start = _start,
            End = _end,
            Summaries = summaries,
            Intervals = _intervals,
            Notes = ["memtier_benchmark does not count error replies, and times from the actual send."],
            PartialReason = _isInterrupted ? "memtier_benchmark was interrupted" : null,
        };
    }

    private RunSummary PhaseOf(JsonProperty section, bool isOneOfMany)
    {
        var name = NameOf(section.Name);
        var runtime = section.Value.TryGetProperty(Runtime, out var known) ? known : default;
        var (start, end) = (TimeOf(runtime, "Start time"), TimeOf(runtime, "Finish time"));
        if (start is { } began && (_start is null || began < _start))
            _start = began;
        if (end is { } ended && (_end is null || ended > _end))
            _end = ended;
        _isInterrupted |= Text(runtime, "Interrupted") == "true";
        var totals = section.Value.GetProperty(Totals);
        var durationMs = Number(runtime, "Total duration");
        var phase = new ImportedPhase(name)
        {
            Mark = isOneOfMany ? name : string.Empty,
            DurationNs = durationMs > 0 ? (long)GivenFigures.Nanoseconds(durationMs.Value, Millisecond) : null,
            Asked = AskedRate(),
            Achieved = Number(totals, "Ops/sec"),
            Engine = EngineOf(),
            ConnectionsLost = Number(totals, "Connection Errors") is { } lost ? GivenFigures.Whole(lost) : null,
        };
        var length = start is not null && end > start ? end.Value - start.Value : TimeSpan.FromSeconds(1);
        var rows = RowsOf(section.Value).ToList();
        phase.Add(SeriesOf(Measured.Service, FiguresOf(totals), TotalOf(totals, rows)));
        foreach (var (operation, row) in rows)
        {
            var values = HistogramOf(row);
            phase.Add(new OperationResult { Name = operation, Command = operation.ToUpperInvariant() }, CountsOf(row));
            phase.Add(SeriesOf(Measured.OfOperation(operation, Measured.Service), FiguresOf(row), values));
            if (values is not null)
            {
                _intervals.Add(new LoggedInterval(
                    (isOneOfMany ? $"{name}." : "") + Measured.OfOperation(operation, Measured.Service),
                    start ?? _end ?? DateTimeOffset.UnixEpoch,
                    length, GivenFigures.InNanoseconds(values, Microsecond)));
            }
        }

        return phase.Create();
    }

    // Sets, Gets, Waits, Incrs: commands that were sent at least once.
    private static IEnumerable<(string Operation, JsonElement Row)> RowsOf(JsonElement section) =>
        from row in section.EnumerateObject()
        where row.Name != Totals && row.Value.ValueKind == JsonValueKind.Object && Number(row.Value, "Count") > 0
        select (ImportedPhase.Plain(row.Name.EndsWith('s') ? row.Name[..^1] : row.Name), row.Value);

    private static IEnumerable<(Metric, long?)> CountsOf(JsonElement row)
    {
        var count = GivenFigures.Whole(Number(row, "Count") ?? 0);
        return
        [
            (Counted.Completed, count), (Counted.Hits, ShareOf("Hits/sec")), (Counted.Misses, ShareOf("Misses/sec")),
        ];

        // It tells rates, of which two decimals are printed.
        long? ShareOf(string rate) =>
            Number(row, "Ops/sec") is > 0 and var all && Number(row, rate) is >= 0 and var some
            ? GivenFigures.Whole(Math.Min(count, count * some / all))
            : null;
    }

    private LatencySeries SeriesOf(string name, GivenFigures figures, LatencyHistogram? values)
    {
        if (values is null)
        {
            _hasFewPercentiles = true;
            return figures.ToSeries(name);
        }

        _resolutionNs = Math.Max(_resolutionNs, (values.HighestEquivalent(0) + 1) * Microsecond);
        var series = LatencySeries.Of(name, PercentileTable.Of(GivenFigures.InNanoseconds(values, Microsecond)));
        return series with
        {
            Missing = null,
            Min = (long?)figures.MinNs ?? series.Min,
            Mean = figures.MeanNs ?? series.Mean,
        };
    }

    // Over several runs memtier leaves the histogram of all operations empty, and those of each hold everything.
    private static LatencyHistogram? TotalOf(JsonElement totals, List<(string Operation, JsonElement Row)> rows)
    {
        if (HistogramOf(totals) is { } own)
            return own;
        var parts = rows.Select(row => HistogramOf(row.Row)).OfType<LatencyHistogram>().ToList();
        if (parts.Count == 0 || parts.Count < rows.Count)
            return null;
        var sum = parts[0].Copy();
        foreach (var part in parts.Skip(1))
            sum.Add(part);
        return sum.TotalCount == Number(totals, "Count") ? sum : null;
    }

    // Null where there is none that holds all: then the percentiles beside it are those of another.
    private static LatencyHistogram? HistogramOf(JsonElement row) => EncodedIn(row) is { } encoded
        && HistogramDecoder.DecodeBase64(Encoding.UTF8.GetBytes(encoded)) is var values
        && values.TotalCount == Number(row, "Count")
            ? values
            : null;

    private static string? EncodedIn(JsonElement row) =>
        Member(row, "Percentile Latencies") is { } latencies && Member(latencies, "Histogram log format") is { } log
            && Text(log, "Compressed Histogram") is { Length: > 0 } encoded ? encoded : null;

    private static GivenFigures FiguresOf(JsonElement row)
    {
        var count = Number(row, "Count") is { } given ? GivenFigures.Whole(given) : (long?)null;
        var percentiles = new Dictionary<double, double>();
        foreach (var one in EncodedIn(row) is null && Member(row, "Percentile Latencies") is { } latencies
            ? [.. latencies.EnumerateObject()] : Array.Empty<JsonProperty>())
        {
            if (one.Name is ['p', .. var digits] && one.Value.ValueKind == JsonValueKind.Number
                && double.TryParse(digits, CultureInfo.InvariantCulture, out var percentile)
                && percentile is > 0 and < 100)
                percentiles.TryAdd(percentile, GivenFigures.Nanoseconds(one.Value.GetDouble(), Millisecond));
        }

        // Of all operations its average is 0, and the sum is there.
        var mean = Number(row, "Average Latency") is > 0 and var average ? average
            : Number(row, "Accumulated Latency") / (count is 0 ? 1 : count);
        return new GivenFigures
        {
            Count = count,
            MinNs = Time(row, "Min Latency"),
            MaxNs = Time(row, "Max Latency"),
            MeanNs = mean is { } known ? GivenFigures.Nanoseconds(known, Millisecond) : null,
            Percentiles = percentiles,
        };
    }

    private EngineFacts? EngineOf() =>
        Member(_root, "configuration") is { } options && Number(options, "threads") is { } threads
            && Number(options, "clients") is { } clients
            ? new EngineFacts
            {
                Loop = Tool,
                Threads = (int)Math.Clamp(threads, 0, int.MaxValue),
                ConnectionsPerThread = (int)Math.Clamp(clients, 0, int.MaxValue),
                Pipeline = Number(options, "pipeline") is { } pipeline
                    ? (int)Math.Clamp(pipeline, 0, int.MaxValue)
                    : null,
            }
            : null;

    // Its limit is of each connection.
    private double? AskedRate() =>
        Member(_root, "configuration") is { } options && Number(options, "rate_limit") is > 0 and var limit
            ? limit * Number(options, "clients") * Number(options, "threads")
            : null;

    private List<MeasuredTarget> TargetsOf()
    {
        if (Member(_root, "configuration") is not { } options || Text(options, "server") is not { Length: > 0 } server)
            return [];
        var target = Text(options, "unix socket") is { Length: > 0 } socket ? socket
            : FormattableString.Invariant($"{server}:{Number(options, "port")}");
        return [new MeasuredTarget { Name = target, Endpoint = target, Driver = Tool, DriverVersion = string.Empty }];
    }

    // It writes its password; nothing here shall.
    private Dictionary<string, string> FactsOf(string name) =>
        Member(_root, name) is not { } facts ? [] : facts.EnumerateObject()
            .Where(fact => fact.Value.ValueKind is JsonValueKind.String or JsonValueKind.Number)
            .DistinctBy(fact => fact.Name)
            .ToDictionary(fact => fact.Name, fact =>
                fact.Name == Password && fact.Value.ToString().Length > 0
                    ? "***" : JsonFacts.Masked(fact.Value.ToString()));

    private static DateTimeOffset? TimeOf(JsonElement runtime, string name) =>
        Number(runtime, name) is > 0 and < 253_402_300_799_000 and var milliseconds
            ? DateTimeOffset.FromUnixTimeMilliseconds((long)milliseconds)
            : null;

    private static double? Time(JsonElement row, string name) =>
        Number(row, name) is { } milliseconds ? GivenFigures.Nanoseconds(milliseconds, Millisecond) : null;

    private static JsonElement? Member(JsonElement element, string name) => JsonFacts.Member(element, name);

    private static double? Number(JsonElement element, string name) => JsonFacts.Number(element, name);

    private static string? Text(JsonElement element, string name) => JsonFacts.Text(element, name);
}
