using Microsoft.Extensions.Hosting;

namespace RedisLatency.Hosting.Running;

/// <summary>Starts the run on its own thread, and ends the host with it. Nothing else happens here.</summary>
internal sealed class RunSupervisor(RunLifecycle lifecycle, IHostApplicationLifetime host) : BackgroundService
{
    private readonly TaskCompletionSource<int> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the exit code when the run has been reported.</summary>
    public Task<int> Ended => _ended.Task;

    // The host's token is not handed on: the run ends by its own stop signal, and the host waits for it.
    protected override Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // A run that ends before the host has started would make the host's start fail.
        host.ApplicationStarted.Register(Begin);
        return _ended.Task;
    }

    private void Begin()
    {
        try
        {
            new Thread(Live) { Name = "measure", IsBackground = true }.Start();
        }
        catch (OutOfMemoryException failure)
        {
            lifecycle.FailFromThread(failure);
            End(lifecycle.Context.ExitCode);
        }
    }

    private void Live()
    {
        var exitCode = ExitCode.Fault;
        try
        {
            exitCode = lifecycle.Execute();
        }
        finally
        {
            End(exitCode);
        }
    }

    private void End(int exitCode)
    {
        _ended.SetResult(exitCode);
        host.StopApplication();
    }
}
