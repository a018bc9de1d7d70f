using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// Closes the results folder of a run without an end each period, and begins the next: what is measured goes on
/// meanwhile, and each value is in one of them. Closed folders that are too old are deleted.
/// </summary>
internal sealed partial class ResultsRotation
{
    // The nearest interval's end is a period's.
    private const long HalfIntervalNs = 500_000_000;

    private readonly RunContext _run;
    private readonly RunRecording _recording;
    private readonly IMeasuredPeriod _period;
    private readonly long _lengthNs;
    private readonly ClosedFolders? _closed;
    private long _dueNs = long.MaxValue;
    private long _fromNs;
    private long _untilNs;

    public ResultsRotation(
        RunContext run,
        (RunMember Member, string Root) whose,
        (TimeSpan Rotate, TimeSpan? Keep) periods,
        RunRecording recording,
        IMeasuredPeriod period)
    {
        (_run, _recording, _period, _lengthNs) = (run, recording, period, periods.Rotate.InNanoseconds);
        _closed = periods.Keep is { } keep ? new ClosedFolders(whose.Root, whose.Member, keep) : null;
    }

    /// <summary>The worst that the periods so far came to.</summary>
    public int WorstExitCode { get; private set; }

    /// <summary>The one phase of the period's record: until it ends, or to now.</summary>
    public RecordedPhase Phase => new(
        nameof(RunPhase.Measure).ToLowerInvariant(),
        WallClockMapping.Sample().ToUtc(_fromNs),
        _fromNs,
        Math.Max(1, (_untilNs > _fromNs ? _untilNs : MonotonicClock.NowNs()) - _fromNs));

    /// <summary>Measuring begins.</summary>
    public void Begin()
    {
        _fromNs = MonotonicClock.NowNs();
        _dueNs = _fromNs + _lengthNs;
    }

    /// <summary>An interval has ended and is logged: closes the folder where a period is over.</summary>
    /// <returns>Whether the next one has begun.</returns>
    public bool EndPeriodAt(long nowNs)
    {
        if (nowNs < _dueNs - HalfIntervalNs)
            return false;
        // By an absolute schedule, so that periods do not drift.
        while (_dueNs <= nowNs + HalfIntervalNs)
            _dueNs += _lengthNs;
        _untilNs = nowNs;
        var record = _period.End(nowNs);
        _untilNs = 0;
        if (record is null)
            return false;
        Close(record);
        _recording.Instrument.BeginPeriod();
        _fromNs = nowNs;
        _recording.Saved.BeginNext(WallClockMapping.Sample().ToUtc(nowNs));
        DeleteOld();
        return true;
    }

    private void Close(RunRecord record)
    {
        var folder = _recording.Saved.Folder;
        var exitCode = _recording.Saved.Write(record).ExitCode;
        WorstExitCode = ExitCode.Combine(WorstExitCode, exitCode);
        if (folder is not null && _recording.Saved.Folder is not null)
            FolderClosed(_run.Logger, folder, exitCode);
    }

    private void DeleteOld()
    {
        foreach (var (folder, problem) in _closed?.DeleteOlder(_run.Time.GetUtcNow()) ?? [])
        {
            if (problem is null)
                FolderDeleted(_run.Logger, folder);
            else
                FolderNotDeleted(_run.Logger, folder, problem);
        }
    }

    [LoggerMessage(EventId = 38, Level = LogLevel.Information, Message = "{Folder} is closed (exit code {ExitCode}).")]
    private static partial void FolderClosed(ILogger logger, string folder, int exitCode);

    [LoggerMessage(EventId = 39, Level = LogLevel.Information, Message = "{Folder} is older than --keep: deleted.")]
    private static partial void FolderDeleted(ILogger logger, string folder);

    [LoggerMessage(EventId = 41, Level = LogLevel.Warning, Message = "{Folder} cannot be deleted: {Problem}")]
    private static partial void FolderNotDeleted(ILogger logger, string folder, string problem);
}
