using RedisLatency.Hosting.Options;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.IntervalLogs;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// The run's interval log, where there is a folder for it: what cannot be written is told at the end, and does not
/// end the measurement.
/// </summary>
public sealed class IntervalLogFile : IDisposable
{
    private readonly ResultsFileStream? _file;
    private readonly IntervalLogWriter? _writer;
    private readonly Lock _gate = new();

    /// <summary>Begins the log.</summary>
    /// <param name="folder">Where; null where there is no folder.</param>
    /// <param name="start">When the run began.</param>
    public IntervalLogFile(ResultsFolder? folder, DateTimeOffset start)
    {
        if (folder is null)
            return;
        try
        {
            _file = folder.CreateFile(ResultsFolder.IntervalLogName);
            _writer = new IntervalLogWriter(_file, start, $"RedisLatency {ProgramVersion.Text}");
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <summary>Why the log is not whole, or null.</summary>
    public ResultsWriteException? Failure { get; private set; }

    /// <summary>Writes an interval. Any thread may, one after the other.</summary>
    public void Write(string tag, DateTimeOffset start, TimeSpan length, LatencyHistogram histogram)
    {
        if (_writer is null || Failure is not null)
            return;
        try
        {
            lock (_gate)
                _writer.Write(tag, start, length, histogram);
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <summary>Gives the log its final name.</summary>
    public void Complete()
    {
        if (Failure is not null)
            return;
        try
        {
            _file?.Complete();
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file?.Dispose();
}
