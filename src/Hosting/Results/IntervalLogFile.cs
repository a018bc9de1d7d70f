using System.Diagnostics.CodeAnalysis;
using RedisLatency.Hosting.Members;
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
    private IntervalLogWriter _writer;

    public IntervalLogFile(
        ResultsFolder? folder, DateTimeOffset start, Action<ResultsWriteException>? failed = null)
        : base(folder, ResultsFolder.IntervalLogName, failed) =>
        Begin(start);

    /// <summary>What sends the same lines to others; null where nobody does. Before the first interval.</summary>
    internal IntervalSender? Sender { get; set; }

    /// <summary>Writes an interval. Any thread may, one after the other.</summary>
    public void Write(string tag, DateTimeOffset start, TimeSpan length, LatencyHistogram histogram)
    {
        if (!IsOpen && Sender is null)
            return;
        lock (_gate)
            _writer.Write(tag, start, length, histogram);
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        base.Write(buffer);
        Sender?.Add(buffer);
    }

    /// <summary>An interval, of which all series were written, goes to others.</summary>
    /// <param name="startNs">When it began, by the monotonic clock.</param>
    /// <param name="isLast">Whether what was measured is over.</param>
    internal void EndInterval(long startNs, bool isLast)
    {
        lock (_gate)
            Sender?.End(startNs, isLast);
    }

    internal override void MoveTo(ResultsFolder? folder, DateTimeOffset start)
    {
        lock (_gate)
        {
            base.MoveTo(folder, start);
            Begin(start);
        }
    }

    [MemberNotNull(nameof(_writer))]
    private void Begin(DateTimeOffset start) =>
        _writer = new IntervalLogWriter(this, start, $"RedisLatency {ProgramVersion.Text}");
}
