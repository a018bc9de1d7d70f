using System.Diagnostics;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Once a second replays what histograms got, and pushes where that is wanted, on a thread of its own: no thread that
/// measures or reports ever waits for a collector.
/// </summary>
internal sealed class TelemetryThread : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    private readonly MetricInstruments _instruments;
    private readonly OtlpPush? _push;
    private readonly ManualResetEvent _end = new(initialState: false);
    private readonly Thread _thread;

    public TelemetryThread(MetricInstruments instruments, OtlpPush? push)
    {
        (_instruments, _push) = (instruments, push);
        _thread = new Thread(Run) { Name = "telemetry", IsBackground = true };
        _thread.Start();
    }

    /// <summary>
    /// Pushes what there is at the end; it waits five seconds for a collector at most, one for one that failed before.
    /// </summary>
    public void Dispose()
    {
        _end.Set();
        // Who does not come in time is left to end with the process, and still needs the event.
        if (_thread.Join(_push?.HasFailed == true ? Second : EndLimit))
            _end.Dispose();
    }

    private void Run()
    {
        long pushed = 0;
        while (!_end.WaitOne(Second))
        {
            _instruments.Replay();
            if (_push is null || (pushed > 0 && Stopwatch.GetElapsedTime(pushed) < _push.Interval))
                continue;
            // The first at once, so that a collector that is not there is known before the run has gone on for long.
            pushed = Stopwatch.GetTimestamp();
            _push.Push();
        }

        _instruments.Replay();
        _push?.Push();
    }
}
