using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// Makes a results folder of a file that another tool wrote. What it says is taken as it is; nothing is made up: no
/// verdict, no percentile between those that are given, no histogram where there is none.
/// </summary>
public sealed class RunImport
{
    private readonly ImportedMeasurement _measured;
    private readonly DateTimeOffset _written;
    private readonly string _sha256;

    /// <summary>Reads the file.</summary>
    /// <exception cref="ImportException">It cannot be read, is of no known tool, or is damaged.</exception>
    public RunImport(string file, ImportQuestions questions)
    {
        _measured = ForeignFile.Read(file, questions);
        _written = new DateTimeOffset(File.GetLastWriteTimeUtc(file));
        _sha256 = ForeignFile.Sha256Of(file);
    }

    /// <summary>When it was measured; where the file does not say, when that was written.</summary>
    public DateTimeOffset Start => _measured.Start ?? _written;

    /// <summary>What a run of this tool is called where nobody says otherwise.</summary>
    public string Tool => ImportedPhase.Plain(_measured.Origin.Tool);

    /// <summary>Makes a results folder of it.</summary>
    /// <returns>Where it lies.</returns>
    /// <exception cref="ImportException">The file is not any more what it was.</exception>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public string WriteTo(string root, string run, string instance, string? region, string suiteVersion)
    {
        var folder = ResultsFolder.Create(root, Start, run, instance);
        RunRecordWriter.Write(folder, WriteTo(folder, run, instance, region, suiteVersion), []);
        return folder.Path;
    }

    /// <summary>Writes the interval log, where there are histograms, and makes the record.</summary>
    /// <exception cref="ImportException">The file is not any more what it was.</exception>
    /// <exception cref="ResultsWriteException">The log cannot be written.</exception>
    private RunRecord WriteTo(ResultsFolder folder, string run, string instance, string? region, string suiteVersion)
    {
        if (_measured.Origin.HasHistograms || _measured.Intervals.Any())
            WriteLog(folder, suiteVersion);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = suiteVersion,
            Run = run,
            Role = WorkloadResults.Role,
            Region = region,
            Instance = instance,
            Partial = _measured.PartialReason is not null,
            PartialReason = _measured.PartialReason,
            Imported = _measured.Origin with { Sha256 = _sha256 },
            Options = _measured.Options,
            Environment = MachineFacts.NotKnown,
            Targets = _measured.Targets,
            Phases = _measured is { Start: { } start, End: { } end } && end > start
                ? [new RecordedPhase("measure", start, null, (end - start).Ticks * 100)]
                : [],
            Summaries = _measured.Summaries,
            Verdict = new RunVerdict(VerdictStatus.NotJudged, [Origin(), .. _measured.Notes]),
            ExitCode = 0,
        };
    }

    // What it is not, in a sentence.
    private string Origin()
    {
        var origin = _measured.Origin;
        var version = origin.Version is null ? string.Empty : $" {origin.Version}";
        var step = origin.ResolutionNs is { } resolution
            ? $"; values step by {Quantity.Duration(resolution)}"
            : string.Empty;
        var known = _measured.Summaries.SelectMany(summary => summary.Latencies)
            .SelectMany(series => series.Percentiles)
            .Where(row => row.IsKnown)
            .Select(row => row.Percentile).Distinct().Order().Select(LatencyTable.NameOf).ToList();
        var percentiles = origin.HasHistograms || origin.ResolutionNs is null ? string.Empty
            : known.Count == 0 ? "; no percentile is known"
            : $"; percentiles only at {string.Join(", ", known)}";
        var name = PlainText.Clean(origin.File);
        return $"Imported from {origin.Tool}{version} ({origin.Form}, {name}){step}{percentiles}. "
            + "Nothing says how good it is.";
    }

    private void WriteLog(ResultsFolder folder, string suiteVersion)
    {
        using var file = folder.CreateFile(ResultsFolder.IntervalLogName);
        var log = new IntervalLogWriter(file, Start, $"RedisLatency {suiteVersion}");
        try
        {
            foreach (var interval in _measured.Intervals)
                log.Write(interval.Tag, interval.Start, interval.Length, interval.Histogram);
        }
        catch (SavedRunException failure)
        {
            throw new ImportException(failure.Message, failure);
        }

        file.Complete();
    }
}
