using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Results;

/// <summary>The results folder of a run: what cannot be written is told at once, and does not end the run.</summary>
public sealed partial class SavedResults : IDisposable
{
    private readonly ILogger _logger;
    private readonly Func<DateTimeOffset, ResultsFolder?> _create;
    private readonly List<LineFile> _files = [];
    private volatile ResultsFolder? _folder;
    private ResultsWriteException? _failure;
    private bool _hasFailedBefore;

    /// <summary>
    /// Makes the folder and begins the log in it; where <paramref name="root"/> is null, nothing is kept.
    /// </summary>
    public SavedResults(
        string? root,
        DateTimeOffset start,
        string run,
        string instance,
        IEnumerable<ResolvedTarget> targets,
        ILogger logger)
    {
        _logger = logger;
        Secrets = [.. targets.Select(target => target.Endpoint.Password?.Reveal() ?? string.Empty)];
        _create = from => root is null ? null : ResultsFolder.Create(root, from, run, instance);
        Create(start);
        Log = new IntervalLogFile(_folder, start, Fail);
        _files.Add(Log);
    }

    public IntervalLogFile Log { get; }

    /// <summary>What must not be written or printed.</summary>
    public IReadOnlyList<string> Secrets { get; }

    /// <summary>Where the results lie; null where they could not be written.</summary>
    public string? Folder => _failure is null ? _folder?.Path : null;

    /// <summary>The folder, for files of other forms; null where it could not be made.</summary>
    public ResultsFolder? Files => _folder;

    /// <summary>
    /// Tells, the first time, that a file could not be written: the run ends as one whose results are not. Any thread
    /// may.
    /// </summary>
    public void Fail(ResultsWriteException failure)
    {
        if (Interlocked.CompareExchange(ref _failure, failure, null) is null)
            ResultsNotSaved(_logger, failure.Message);
    }

    /// <summary>Starts another file of lines in the folder; it gets its name with the record.</summary>
    public LineFile CreateLines(string name)
    {
        var file = new LineFile(_folder, name, Fail);
        _files.Add(file);
        return file;
    }

    /// <summary>Writes the record.</summary>
    /// <returns>The record with the exit code that follows.</returns>
    public RunRecord Write(RunRecord record)
    {
        _files.ForEach(file => file.Complete());
        if (_failure is null && _folder is { } folder)
        {
            try
            {
                RunRecordWriter.Write(folder, record, Secrets);
            }
            catch (ResultsWriteException failure)
            {
                Fail(failure);
            }
        }

        return _failure is null && !_hasFailedBefore
            ? record
            : record with { ExitCode = ExitCode.Combine(record.ExitCode, ExitCode.ResultsNotWritten) };
    }

    /// <summary>
    /// Begins another folder, after the record of the one before was written; that one before could not be written
    /// still counts.
    /// </summary>
    public void BeginNext(DateTimeOffset start)
    {
        _hasFailedBefore |= _failure is not null;
        (_failure, _folder) = (null, null);
        Create(start);
        _files.ForEach(file => file.MoveTo(_folder, start));
    }

    public void Dispose() => _files.ForEach(file => file.Dispose());

    private void Create(DateTimeOffset start)
    {
        try
        {
            _folder = _create(start);
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    [LoggerMessage(EventId = 30, Level = LogLevel.Error, Message = "Results are not saved: {Reason}")]
    private static partial void ResultsNotSaved(ILogger logger, string reason);
}
