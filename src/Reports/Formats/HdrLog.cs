using System.Text.RegularExpressions;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// An interval log of HdrHistogram, also as memtier_benchmark (<c>--hdr-file-prefix</c>, although it calls it .hgrm)
/// and YCSB (<c>hdrhistogram.fileoutput</c>) write it. The format does not say what the values are; these two do.
/// </summary>
internal sealed partial class HdrLog
{
    private const string Own = "RedisLatency";
    private const double MillisecondNs = 1e6;

    private readonly ForeignFile _file;
    private readonly long _unit;
    private readonly string _untagged;
    private readonly bool _hasEnds;

    private HdrLog(ForeignFile file, ImportQuestions questions)
    {
        _file = file;
        var memtier = Memtier().Match(file.Beginning);
        var ycsb = Ycsb().Match(file.Beginning);
        Tool = memtier.Success ? "memtier_benchmark" : ycsb.Success ? "YCSB" : Ours().IsMatch(file.Beginning)
            ? Own : "HdrHistogram";
        _unit = (long)(questions.Unit != ImportUnit.Stated ? questions.Unit
            : memtier.Success || ycsb.Success ? ImportUnit.Us
            : Tool == Own ? ImportUnit.Ns
            : throw new ImportException("an interval log does not say what its values are: add --unit us, ns or ms"));
        _untagged = memtier.Success ? OfOperation(memtier.Groups[1].Value)
            : ycsb.Success ? OfOperation(ycsb.Groups[1].Value)
            : questions.Series;
        _hasEnds = file.Beginning.Contains("\"EndTimestamp\"", StringComparison.Ordinal);
    }

    private string Tool { get; }

    public static bool IsIn(ForeignFile file) =>
        file.Beginning.Contains("\"Interval_Compressed_Histogram\"", StringComparison.Ordinal)
        || file.Beginning.StartsWith("#[Histogram log format", StringComparison.Ordinal);

    public static ImportedMeasurement Read(ForeignFile file, ImportQuestions questions) =>
        new HdrLog(file, questions).Read();

    private static string OfOperation(string name) =>
        name == "Full Run" ? Measured.Service : Measured.OfOperation(ImportedPhase.Plain(name), Measured.Service);

    private ImportedMeasurement Read()
    {
        var totals = new SortedDictionary<string, LatencyHistogram>(StringComparer.Ordinal);
        var (isTorn, resolution) = (false, 0L);
        DateTimeOffset? start = null, end = null;
        foreach (var interval in Intervals(torn => isTorn = torn, width => resolution = Math.Max(resolution, width)))
        {
            var tag = interval.Tag ?? string.Empty;
            if (!totals.TryGetValue(tag, out var total))
                totals.Add(tag, total = LatencyHistogram.ForLatency());
            total.Add(interval.Histogram);
            start = start is { } first && first <= interval.Start ? first : interval.Start;
            end = end is { } last && last >= interval.Start + interval.Length ? last : interval.Start + interval.Length;
        }

        if (totals.Values.All(total => total.TotalCount == 0))
            throw new ImportException("the interval log holds no value");
        // In our own logs what precedes the names of operations tells phases apart.
        var marks = totals.Keys.Where(tag => Tool == Own && Measured.OperationOf(tag) is not null)
            .Select(MarkOf).ToHashSet();
        var phases = totals.GroupBy(one => marks.Contains(MarkOf(one.Key)) ? MarkOf(one.Key) : string.Empty)
            .OrderBy(phase => phase.Key.Length).ThenBy(phase => phase.Key, StringComparer.Ordinal).ToList();
        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = Tool,
                File = _file.Name,
                Form = "interval log",
                ResolutionNs = Math.Max(1, resolution),
                HasHistograms = true,
            },
            Start = start,
            End = end,
            Summaries =
            [
                .. phases.Select(phase => PhaseOf(
                    phase.Key, phase.ToDictionary(one => one.Key[phase.Key.Length..].TrimStart('.'), one => one.Value),
                    phases.Count == 1 ? (end - start)?.Ticks * 100 : null)),
            ],
            Intervals = Intervals(_ => { }, _ => { }),
            Notes = totals.ContainsKey(_untagged) && Tool == "HdrHistogram"
                ? [$"The log does not name what it timed; it is called {_untagged} here."]
                : [],
            PartialReason = isTorn ? "the last line of the interval log is torn" : null,
        };
    }

    private static string MarkOf(string tag) => tag.LastIndexOf('.') is > 0 and var end ? tag[..end] : string.Empty;

    private static RunSummary PhaseOf(
        string mark, Dictionary<string, LatencyHistogram> totals, long? durationNs)
    {
        var phase = new ImportedPhase(mark.Length == 0 ? "run" : mark) { Mark = mark, DurationNs = durationNs };
        // One operation may have two series: from the intended send and from the actual one.
        var operations = totals.Where(one => Measured.OperationOf(one.Key) is not null)
            .GroupBy(one => Measured.OperationOf(one.Key)!, one => one.Value).ToList();
        foreach (var operation in operations)
        {
            var total = operation.MaxBy(total => total.TotalCount)!;
            phase.Add(
                new OperationResult { Name = operation.Key, Command = operation.Key.ToUpperInvariant() },
                (Counted.Completed, total.TotalCount + total.AboveRange));
        }

        // Histograms add; of one operation alone the phase does it.
        foreach (var end in (string[])[Measured.Response, Measured.Service])
        {
            if (operations.Count > 1 && !totals.ContainsKey(end) && operations.TrueForAll(
                operation => totals.ContainsKey(Measured.OfOperation(operation.Key, end))))
            {
                phase.Add(SeriesOf(
                    end, Sum(operations.Select(operation => totals[Measured.OfOperation(operation.Key, end)]))));
            }
        }

        foreach (var (tag, total) in totals)
            phase.Add(SeriesOf(tag, total));
        return phase.AddSums().Create();
    }

    private static LatencySeries SeriesOf(string name, LatencyHistogram total) =>
        LatencySeries.Of(name, PercentileTable.Of(total)) with { Missing = null };

    private static LatencyHistogram Sum(IEnumerable<LatencyHistogram> parts)
    {
        var sum = LatencyHistogram.ForLatency();
        foreach (var part in parts)
            sum.Add(part);
        return sum;
    }

    private IEnumerable<LoggedInterval> Intervals(Action<bool> ended, Action<long> stepped)
    {
        foreach (var interval in SavedRun.Read(
            _file.Path, null, log => ended(log.HasTornTail), Tool == Own && _unit == 1 ? MillisecondNs : null))
        {
            stepped((interval.Histogram.HighestEquivalent(0) + 1) * _unit);
            // memtier writes when an interval ended where the format has how long it took.
            var length = !_hasEnds ? interval.Length
                : DateTimeOffset.UnixEpoch + interval.Length is var end && end >= interval.Start ? end - interval.Start
                : throw new ImportException("an interval ends before it starts");
            yield return new LoggedInterval(
                TagOf(interval.Tag), interval.Start, length, GivenFigures.InNanoseconds(interval.Histogram, _unit));
        }
    }

    // A tag of ours has neither comma nor white space, and is not endless.
    private string TagOf(string? tag) => tag is null ? _untagged
        : tag.Length <= 200 && tag.Length > 0 && tag.All(letter => letter is > ' ' and <= '~') ? tag
        : ImportedPhase.Plain(tag);

    [GeneratedRegex(@"^#\[(\w{1,40}|Full Run) command HDR latency", RegexOptions.Multiline)]
    private static partial Regex Memtier();

    [GeneratedRegex(@"^#\[Logging for: ([^\]\r\n]{1,60})\]", RegexOptions.Multiline)]
    private static partial Regex Ycsb();

    [GeneratedRegex(@"^#\[Logged with RedisLatency ", RegexOptions.Multiline)]
    private static partial Regex Ours();
}
