using System.Runtime.ExceptionServices;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Hosting.Running;

/// <summary>A named thread that measures; what it fails with is thrown again on the thread that waits for it.</summary>
public sealed class SessionThread
{
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    /// <summary>Starts it.</summary>
    /// <param name="name">What debuggers and the operating system call it.</param>
    /// <param name="run">What it does.</param>
    /// <param name="failed">Is called on it where that fails; null for nobody.</param>
    /// <param name="countsWaits">
    /// Whether a message is held up by what it waits for; what one that only sends waits for is in how late it sends.
    /// </param>
    public SessionThread(string name, Action run, Action? failed = null, bool countsWaits = true)
    {
        Action work = countsWaits ? () => MeasuringThreads.Run(run) : run;
        _thread = new Thread(() => Run(work, failed)) { Name = name, IsBackground = true };
        _thread.Start();
    }

    public void Join() => _thread.Join();

    /// <returns>Whether it has ended within that time.</returns>
    public bool Join(TimeSpan limit) => _thread.Join(limit);

    /// <summary>Throws what it failed with, after it has ended.</summary>
    public void ThrowIfFailed() => _failure?.Throw();

    private void Run(Action run, Action? failed)
    {
        try
        {
            run();
        }
#pragma warning disable CA1031 // It is thrown again on the thread that waits.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            failed?.Invoke();
        }
    }
}
