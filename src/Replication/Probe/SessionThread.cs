using System.Runtime.ExceptionServices;

namespace RedisLatency.Replication.Probe;

internal sealed class SessionThread
{
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    public SessionThread(string name, Action run, Action failed)
    {
        _thread = new Thread(() => Run(run, failed)) { Name = name, IsBackground = true };
        _thread.Start();
    }

    public void Join() => _thread.Join();

    public bool Join(TimeSpan limit) => _thread.Join(limit);

    public void ThrowIfFailed() => _failure?.Throw();

    private void Run(Action run, Action failed)
    {
        try
        {
            run();
        }
#pragma warning disable CA1031 // It is thrown again on the thread of the run.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            failed();
        }
    }
}
