using System.Diagnostics;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// Calls back once per interval, on a thread of its own and by an absolute schedule: the n-th call is due at start
/// + n · interval however long the ones before took; calls that were missed altogether are not made up for. Allocates
/// nothing itself.
/// </summary>
public sealed class ReporterThread : IDisposable
{
    private readonly long _intervalTicks;
    private readonly Action<long> _report;
    private readonly ManualResetEvent _stop = new(initialState: false);
    private readonly Thread _thread;
    private readonly long _startTimestamp = Stopwatch.GetTimestamp();
    private bool _isStopped;

    /// <summary>Starts it; the first interval begins now.</summary>
    /// <param name="interval">How long an interval lasts; a second in every service.</param>
    /// <param name="report">
    /// What takes the interval, which ends at the timestamp that it is given: logs, live view. Where it throws, the run
    /// fails.
    /// </param>
    public ReporterThread(TimeSpan interval, Action<long> report)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        _intervalTicks = (long)(interval.TotalSeconds * Stopwatch.Frequency);
        _report = report;
        _thread = new Thread(Report) { Name = "reporter", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Ends the thread and waits for a call that is under way.</summary>
    public void Stop()
    {
        if (_isStopped)
            return;
        _isStopped = true;
        _stop.Set();
        _thread.Join();
    }

    public void Dispose()
    {
        Stop();
        _stop.Dispose();
    }

    private void Report()
    {
        for (var due = _startTimestamp + _intervalTicks; !WaitUntil(due);)
        {
            _report(Stopwatch.GetTimestamp());
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
