using RedisLatency.Hosting.Options;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// The run's interval log, where there is a folder for it: that it cannot be written does not end the measurement.
/// </summary>
public sealed class IntervalLogFile : LineFile
{
    private readonly Lock _gate = new();
    private IntervalLogWriter? _writer;

    public IntervalLogFile(
        ResultsFolder? folder, DateTimeOffset start, Action<ResultsWriteException>? failed = null)
        : base(folder, ResultsFolder.IntervalLogName, failed) =>
        Begin(start);

    /// <summary>Writes an interval. Any thread may, one after the other.</summary>
    public void Write(string tag, DateTimeOffset start, TimeSpan length, LatencyHistogram histogram)
    {
        if (!IsOpen)
            return;
        lock (_gate)
            _writer?.Write(tag, start, length, histogram);
    }

    internal override void MoveTo(ResultsFolder? folder, DateTimeOffset start)
    {
        lock (_gate)
        {
            base.MoveTo(folder, start);
            Begin(start);
        }
    }

    private void Begin(DateTimeOffset start) =>
        _writer = IsOpen ? new IntervalLogWriter(this, start, $"RedisLatency {ProgramVersion.Text}") : null;
}
