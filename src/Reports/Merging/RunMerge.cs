using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// Makes one run of what many processes measured. Histograms add, so the result is what one process would have recorded
/// that saw everything; what has no value in a part has none in the whole. Records are read one by one, and of each log
/// one interval is in memory.
/// </summary>
/// <param name="suiteVersion">Of the program that merges.</param>
public sealed class RunMerge(string suiteVersion)
{
    public const string Instance = "merged";

    private const string Measure = "measure";
    private const string HiccupSeries = "hiccups";
    private const int MostSummaries = 1_000;
    private const int MostTargets = 100;

    private readonly List<MergedSummary> _summaries = [];
    private readonly List<RunSummary> _served = [];
    private readonly List<PartLog> _logs = [];
    private readonly List<MergedPart> _parts = [];
    private readonly HashSet<string> _identities = [];
    private readonly HashSet<string> _machines = [];
    private readonly HashSet<string> _processes = [];
    private readonly MergedGaps _gaps = new();
    private readonly LoggedSeries _logged = new();
    private readonly MergedNotes _notes = new();
    private readonly MergedForward _forward = new();
    private readonly List<MeasuredTarget> _targets = [];
    private readonly MergedRegions _regions = new();
    private RunRecord? _first;
    private PartShape? _shape;
    private UInt128 _values;
    private DateTimeOffset? _origin;
    private (RecordedPhase First, DateTimeOffset End)? _measured;
    private long _leftOut;

    /// <summary>How many processes are in it.</summary>
    public int Parts => _parts.Count;

    /// <summary>When the first of them began.</summary>
    public DateTimeOffset? Start => _parts.Min(part => part.StartUtc) ?? _origin;

    /// <summary>The run's name.</summary>
    public string Run => _shape?.Run ?? string.Empty;

    /// <summary>What the parts' processes returned.</summary>
    public IReadOnlyCollection<int> ExitCodes => _notes.ExitCodes;

    /// <summary>Adds a part, or says why it is none: then nothing of it is in the result, which says so.</summary>
    /// <returns>Null where it was added.</returns>
    /// <exception cref="SavedRunException">Its interval log cannot be read; nothing of it is in the result.</exception>
    public string? Add(SavedRun run)
    {
        if (run.Record is not { } record)
            return "the run was killed, or is still under way: what it lost is not known";
        var parts = MergedPart.Of(record, FolderNameOf(run));
        if ((PartShape.ProblemOf(record) ?? _shape?.Difference(record)) is { } problem)
            return problem;
        if (parts.FirstOrDefault(part => _identities.Contains(part.Identity)) is { } twice)
            return $"{twice.Instance} is in it already: this process's results would be counted twice";
        var series = new PartSeries(run, _logged);
        if (series.Problem() is { } mismatch)
            return mismatch;
        if (_values + series.Count > long.MaxValue)
            return "it has more values than can be counted";
        _values += series.Count;
        Add(run, record, parts, series);
        return null;
    }

    /// <summary>Notes that something that was asked for is not in the result.</summary>
    public void LeaveOut() => _leftOut++;

    /// <summary>Makes the results folder of the merged run.</summary>
    /// <param name="root">The folder of all results.</param>
    /// <param name="now">What it is named by where no part says when it began.</param>
    /// <param name="exitCode">What the merged run would have ended with.</param>
    /// <returns>Its record, and where it lies.</returns>
    /// <exception cref="SavedRunException">A log is not any more what it was.</exception>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public (RunRecord Record, string Folder) WriteTo(string root, DateTimeOffset now, int exitCode)
    {
        var folder = ResultsFolder.Create(root, Start ?? now, Run, Instance);
        var record = MergeInto(folder) with { ExitCode = exitCode };
        RunRecordWriter.Write(folder, record, []);
        return (record, folder.Path);
    }

    /// <summary>Merges the logs into a folder.</summary>
    /// <returns>The record, which is not written yet; its exit code is that of the first part.</returns>
    /// <exception cref="SavedRunException">A log is not any more what it was.</exception>
    /// <exception cref="ResultsWriteException">The log cannot be written.</exception>
    public RunRecord MergeInto(ResultsFolder folder)
    {
        try
        {
            return Merged(folder);
        }
        catch (Exception failure) when (failure is OverflowException or ArgumentException)
        {
            throw new SavedRunException($"what the records say cannot be added: {failure.Message}", failure);
        }
    }

    private RunRecord Merged(ResultsFolder folder)
    {
        var first = _first ?? throw new InvalidOperationException("There is no part.");
        var series = new LogMerge(folder, _origin ?? DateTimeOffset.UnixEpoch, $"RedisLatency {suiteVersion}")
            .Merge(_logs, tag => _summaries.Select(summary => summary.SumOf(tag)).OfType<string>().FirstOrDefault());
        var merged = first with
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = suiteVersion,
            Region = _parts.All(part => part.Region == first.Region) ? first.Region : null,
            Instance = Instance,
            Partial = _leftOut > 0 || _notes.PartialReason is not null,
            PartialReason = _leftOut > 0
                ? $"{Quantity.Count(_leftOut)} of what was to be merged is not in it"
                : _notes.PartialReason,
            MergedFrom = _parts,
            Regions = _regions.Create(),
            Options = _notes.Options,
            Targets = _targets,
            Phases = _measured is var (phase, end)
                ? [phase with { DurationNs = (long)(end - phase.StartUtc).TotalNanoseconds }]
                : [],
            Summaries = [.. _summaries.Select(summary => summary.Create(series)), .. _served],
            Hiccups = series.TryGetValue(HiccupSeries, out var hiccups)
                ? LatencySeries.Of(HiccupSeries, hiccups.Table(0, 0))
                : null,
            GcPauses = null,
            Cpu = null,
            Clock = null,
            ProbeServices = [],
            Forward = _forward.Create(series),
            Events = [.. _notes.Events.Concat(_gaps.Events).OrderBy(happened => happened.AtUtc)],
            Thresholds = [],
        };
        return merged with { Verdict = _notes.Verdict(Notes(), Believed(merged)) };
    }

    // What is in doubt in any series ends it, and in the one of the first line what is not known.
    private static double? Believed(RunRecord merged)
    {
        IReadOnlyList<PercentileRow>[] headline = Headline.Of(merged) is { } first ? [first.Percentiles] : [];
        var inDoubt = merged.Summaries.SelectMany(summary => summary.Latencies.Select(series => series.Percentiles)
                .Concat(summary.OneWay.SelectMany(pair => pair.Series).Select(series => series.Percentiles)))
            .Concat(merged.Forward?.Series.Select(series => series.Percentiles) ?? [])
            .Where(rows => rows.Any(row => row.InDoubt));
        return inDoubt.Select(rows => rows.TakeWhile(row => !row.InDoubt).LastOrDefault()?.Percentile)
            .Concat(headline.Select(rows => rows.TakeWhile(row => row.IsKnown).LastOrDefault()?.Percentile))
            .Aggregate((double?)double.MaxValue, (least, one) => least is null || one is null ? null
                : Math.Min(least.Value, one.Value));
    }

    private void Add(SavedRun run, RunRecord record, IReadOnlyList<MergedPart> parts, PartSeries series)
    {
        _first ??= record;
        _shape ??= new PartShape(record);
        _parts.AddRange(parts);
        _identities.UnionWith(parts.Select(part => part.Identity));
        _machines.UnionWith(parts.Select(part => part.MachineName));
        _origin = series.Start is { } start && (_origin is null || start < _origin) ? start : _origin;
        _notes.Add(record);
        _processes.UnionWith(parts.Select(part => record.IsRotated ? ProcessOf(part) : part.Identity));
        if (record.IsRotated)
            _gaps.Add(record, ProcessOf(parts[0]));
        _targets.AddRange(record.Targets.Where(target => _targets.Count < MostTargets
            && !_targets.Exists(known => (known.Name, known.Endpoint) == (target.Name, target.Endpoint))));
        AddTime(record);
        _regions.Add(record);
        if (record.Forward is { } forward)
            _forward.Add(forward);
        var measured = PartShape.MeasuredIn(record).ToList();
        var renamed = new Dictionary<string, string>();
        for (var place = 0; place < measured.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            if (place == _summaries.Count)
                _summaries.Add(new MergedSummary(measured[place], mark));
            foreach (var (from, to) in _summaries[place].Add(
                measured[place], mark, record.Instance, record.IsRotated ? ProcessOf(parts[0]) : null).Reverse())
            {
                foreach (var tag in series.Tags.Where(tag => from != to && IsOfPair(tag, from)))
                    renamed[tag] = to + tag[from.Length..];
            }
        }

        _served.AddRange(record.Summaries.Skip(measured.Count).Take(MostSummaries - _served.Count));
        _logs.Add(new PartLog(run.LogFile!, renamed.Count > 0 ? renamed : null));
    }

    private static string ProcessOf(MergedPart part) => $"{part.MachineName}/{part.Instance}";

    private static string FolderNameOf(SavedRun run) =>
        Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(run.Folder)));

    private static bool IsOfPair(string tag, string mark) =>
        tag.StartsWith(mark + "forward", StringComparison.Ordinal)
        || tag.StartsWith(mark + "back", StringComparison.Ordinal);

    private void AddTime(RunRecord record)
    {
        var phases = record.Phases.Where(phase => phase.Name == Measure).ToList();
        if (phases.Count == 0)
            return;
        var start = phases.MinBy(phase => phase.StartUtc)!;
        var end = phases.Max(phase => phase.StartUtc + TimeSpan.FromNanoseconds(phase.DurationNs));
        _measured = _measured is var (known, last)
            ? (start.StartUtc < known.StartUtc ? start : known, end > last ? end : last)
            : (start, end);
    }

    private IEnumerable<string> Notes()
    {
        var parts = _parts.Count == _processes.Count
            ? $"{Quantity.Count(_parts.Count)} processes"
            : $"{Quantity.Count(_parts.Count)} folders of {Quantity.Count(_processes.Count)} "
                + $"process{(_processes.Count == 1 ? "" : "es")}";
        yield return $"Merged from {parts} on {Quantity.Count(_machines.Count)} "
            + $"host{(_machines.Count == 1 ? "" : "s")}; environment and clock are those of each one's own record.";
        if (WhyNoRate() is { } why)
            yield return $"{why}, so they have no rate together.";
        if (_summaries.Sum(summary => summary.WithoutOneWay) is > 0 and var without)
            yield return $"{Quantity.Count(without)} parts have no one-way latency.";
        if (_served.Count == MostSummaries)
            yield return $"Of the producers served only the first {Quantity.Count(MostSummaries)} are listed.";
    }

    private string? WhyNoRate() => _logs.Count < 2 ? null
        : _summaries.Exists(summary => !summary.Rates.AreAtOneTime) ? "The parts did not all measure at one time"
        : _summaries.Exists(summary => !summary.Rates.AreTimed) ? "Not all parts say when they measured"
        : null;
}

/// <summary>The forward series of several consumers, as each recorded it, together.</summary>
internal sealed class MergedForward
{
    // As many as a Consumer keeps.
    private const int MostProducers = 1_000;

    private readonly MergedDoubts _doubts = new();
    private ServedForward? _sum;

    public void Add(ServedForward part)
    {
        foreach (var series in part.Series)
            _doubts.Add(series);
        _sum = _sum is null ? part : _sum with
        {
            Series = [.. _sum.Series.Zip(part.Series, MergedPair.Sum)],
            Producers = [.. _sum.Producers.Concat(part.Producers).TakeLast(MostProducers)],
        };
    }

    public ServedForward? Create(IReadOnlyDictionary<string, MergedSeries> series) => _sum is null ? null : _sum with
    {
        Series = [.. _sum.Series.Select(said => _doubts.Mark(MergedPair.Create(said, series, string.Empty)))],
    };
}

/// <summary>What all parts of a merged run must have in common, as the first part has it.</summary>
internal sealed class PartShape(RunRecord first)
{
    private readonly List<string> _series = [.. SeriesOf(first)];

    public string Run { get; } = first.Run;

    public string Role { get; } = first.Role;

    /// <summary>What of a record's summaries is measured; a Consumer's others only count what came from whom.</summary>
    public static IEnumerable<RunSummary> MeasuredIn(RunRecord record) =>
        RecordKind.Of(record).Measured(record);

    /// <summary>Why nothing can be merged with a record; null where something can.</summary>
    public static string? ProblemOf(RunRecord record) =>
        record.Summaries.Count == 0 ? "nothing was measured"
        : record.Summaries.Any(summary => summary.Delay is not null)
            ? "delays of several runs are put together by report matrix"
        : record.Comparison is not null ? "two servers were compared in turns, which is no part of another run"
        : null;

    /// <summary>Why a record is of something else; null where it is not.</summary>
    public string? Difference(RunRecord record)
    {
        if (record.Run != Run)
            return $"it is of the run {record.Run}, not {Run}; --run names the one that is meant";
        if (record.Role != Role)
            return $"it is of a {record.Role}, not a {Role}; --role names the one that is meant";
        var other = SeriesOf(record).ToList();
        if (_series.SequenceEqual(other))
            return null;
        return _series.Except(other).FirstOrDefault() is { } lacks ? $"it has no {lacks}, as the first part has"
            : other.Except(_series).FirstOrDefault() is { } more ? $"it has {more}, which the first part has not"
            : "its targets or phases come in another order than those of the first part";
    }

    private static IEnumerable<string> SeriesOf(RunRecord record)
    {
        if (record.Imported is { } imported)
            yield return $"measurement of {imported.Tool}";
        var measured = MeasuredIn(record).ToList();
        foreach (var summary in measured)
        {
            // One target may be called otherwise from another host.
            var of = measured.Count > 1 || summary.Workload is not null ? $" of {summary.Name}" : string.Empty;
            foreach (var series in summary.Latencies)
                yield return $"series {series.Name}{of} in {series.Unit}";
            foreach (var operation in summary.Workload?.Operations ?? [])
                yield return $"operation {operation.Name}{of}, {operation.Command}";
        }

        foreach (var series in record.Forward?.Series ?? [])
            yield return $"series {series.Name}";
    }
}
