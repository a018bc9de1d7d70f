using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>What a run left in its folder: the record, unless it was killed, and the interval log.</summary>
public sealed class SavedRun
{
    private const double NanosecondsPerMillisecond = 1e6;

    private readonly bool _hasLog;

    private SavedRun(string folder, RunRecord? record, bool isUnderWay = false) =>
        (Folder, Record, IsUnderWay, _hasLog) = (folder, record, isUnderWay, !isUnderWay || folder.Length > 0);

    /// <summary>The results folder.</summary>
    public string Folder { get; }

    /// <summary>Null of a run that was killed, or is still under way: then there is its interval log alone.</summary>
    public RunRecord? Record { get; }

    /// <summary>What the run calls itself, else what its folder is called.</summary>
    public string Name => Record?.Run ?? Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(Folder)));

    /// <summary>
    /// What no two runs share, and a copy of one has too: the processes that it is of, as in a merge. Empty of a run
    /// that did not end.
    /// </summary>
    public IReadOnlyCollection<string> Identities => Record is null ? []
        : [.. MergedPart.Of(Record, Path.GetFullPath(Folder)).Select(part => part.Identity)];

    /// <summary>The interval log, under its partial name where the run did not end; null where there is none.</summary>
    public string? LogFile => !_hasLog ? null : ResultsFolder.Find(Folder, ResultsFolder.IntervalLogName);

    /// <summary>Whether this process measures it still.</summary>
    public bool IsUnderWay { get; }

    /// <summary>Whether the last line of the interval log is torn; known when its intervals were read.</summary>
    public bool HasTornTail { get; private set; }

    /// <summary>Whether there is anything of a run in the folder.</summary>
    public static bool IsIn(string folder) =>
        File.Exists(Path.Combine(folder, ResultsFolder.RunRecordName))
        || ResultsFolder.Find(folder, ResultsFolder.IntervalLogName) is not null;

    /// <summary>Opens the folder that a run left, or its run.json or latency.hlog.</summary>
    /// <exception cref="SavedRunException">There is no run, or its record cannot be understood.</exception>
    public static SavedRun Open(string path)
    {
        var folder = File.Exists(path) ? Path.GetDirectoryName(Path.GetFullPath(path))! : path;
        try
        {
            return new SavedRun(folder, RunRecordReader.Read(folder));
        }
        catch (RunRecordException failure) when (failure.IsMissing && IsIn(folder))
        {
            return new SavedRun(folder, null);
        }
        catch (RunRecordException failure) when (failure.IsMissing)
        {
            throw new SavedRunException(
                $"{path}: no run record here; name a folder that a run left behind", failure);
        }
        catch (RunRecordException failure)
        {
            throw new SavedRunException(failure.Message, failure);
        }
    }

    /// <summary>A run of this process, which is not over; it may have no folder, or none yet.</summary>
    public static SavedRun UnderWay(string? folder) => new(folder ?? string.Empty, null, isUnderWay: true);

    /// <summary>
    /// Reads the interval log, one interval at a time, whose histogram is valid until the next; nothing where there is
    /// no log.
    /// </summary>
    /// <param name="isWanted">Which tags are read; null for all.</param>
    /// <exception cref="SavedRunException">It cannot be read, or a whole line of it is none of a log.</exception>
    public IEnumerable<LoggedInterval> ReadIntervals(Predicate<string?>? isWanted = null) =>
        LogFile is { } file ? Read(file, isWanted, log => HasTornTail = log.HasTornTail) : [];

    /// <summary>
    /// Reads what the run is about in parts of less than a second, as <see cref="ReadIntervals"/>; nothing of a run
    /// that was too long for them, or was killed.
    /// </summary>
    /// <exception cref="SavedRunException">As there.</exception>
    public IEnumerable<LoggedInterval> ReadBlocks() =>
        Record is not null && Path.Combine(Folder, ResultsFolder.BlockLogName) is var file && File.Exists(file)
            ? Read(file) : [];

    /// <summary>Reads an interval log as <see cref="ReadIntervals"/>.</summary>
    /// <exception cref="SavedRunException">As there.</exception>
    /// <param name="file">The log.</param>
    /// <param name="isWanted">Which tags are read; null for all.</param>
    /// <param name="ended">Told of the reader at the end.</param>
    /// <param name="maxUnit">Of Interval_Max, in the values' unit; null where it is not known, in files of
    /// others.</param>
    internal static IEnumerable<LoggedInterval> Read(
        string file,
        Predicate<string?>? isWanted = null,
        Action<IntervalLogReader>? ended = null,
        double? maxUnit = NanosecondsPerMillisecond)
    {
        using var stream = Attempt(file, () => OpenShared(file));
        var log = new IntervalLogReader(stream, isWanted) { ReusesHistogram = true, MaxUnit = maxUnit };
        while (Attempt(file, log.Read) is { } interval)
            yield return interval;
        ended?.Invoke(log);
    }

    // Of a run that is under way somebody writes to it.
    private static FileStream OpenShared(string file) =>
        new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    private static T Attempt<T>(string file, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or HistogramFormatException)
        {
            throw new SavedRunException($"{file}: {failure.Message}", failure);
        }
    }
}
