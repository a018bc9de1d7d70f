using System.Diagnostics;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// Calls back once per interval, on a thread of its own and by an absolute schedule: the n-th call is due at start
/// + n · interval however long the ones before took; calls that were missed altogether are not made up for, the next
/// interval is simply longer. Allocates nothing itself.
/// </summary>
public sealed class ReporterThread : IDisposable
{
    private readonly long _intervalTicks;
    private readonly Action<ReportInterval> _report;
    private readonly ManualResetEvent _stop = new(initialState: false);
    private readonly Thread _thread;
    private bool _isStopped;

    /// <summary>Starts it; the first interval begins now.</summary>
    /// <param name="interval">How long an interval lasts; a second in every service.</param>
    /// <param name="report">What takes the interval: logs, live view. Where it throws, the run fails.</param>
    public ReporterThread(TimeSpan interval, Action<ReportInterval> report)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        _intervalTicks = (long)(interval.TotalSeconds * Stopwatch.Frequency);
        _report = report;
        _thread = new Thread(Report) { Name = "reporter", IsBackground = true };
        StartTimestamp = Stopwatch.GetTimestamp();
        _thread.Start();
    }

    /// <summary>When the first interval began, as <see cref="Stopwatch.GetTimestamp"/> reads.</summary>
    public long StartTimestamp { get; }

    /// <summary>When the last interval that was taken ended; read it after <see cref="Stop"/>.</summary>
    public long LastTimestamp { get; private set; }

    /// <summary>
    /// Ends the thread and waits for a call that is under way. What has been recorded since <see cref="LastTimestamp"/>
    /// is then the caller's to take.
    /// </summary>
    public void Stop()
    {
        if (_isStopped)
            return;
        _isStopped = true;
        _stop.Set();
        _thread.Join();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop();
        _stop.Dispose();
    }

    private void Report()
    {
        LastTimestamp = StartTimestamp;
        for (var due = StartTimestamp + _intervalTicks; !WaitUntil(due);)
        {
            var now = Stopwatch.GetTimestamp();
            _report(new ReportInterval(LastTimestamp, now));
            LastTimestamp = now;
            var missed = Math.Max(0, (Stopwatch.GetTimestamp() - due) / _intervalTicks);
            due += (missed + 1) * _intervalTicks;
        }
    }

    // Whether to end instead.
    private bool WaitUntil(long due)
    {
        while (due - Stopwatch.GetTimestamp() is var left && left > 0)
        {
            if (_stop.WaitOne((int)Math.Min(int.MaxValue, (left * 1000 / Stopwatch.Frequency) + 1)))
                return true;
        }

        return _stop.WaitOne(0);
    }
}
