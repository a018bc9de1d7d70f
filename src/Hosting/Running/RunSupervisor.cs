using Microsoft.Extensions.Hosting;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Carries out a run on its own thread, for every service, and ends the host with it. What a run does is one method
/// that enters the phases in their order: a request to stop ends it at the next phase up to Measure; what fails or is
/// stopped in Measure is still drained and reported.
/// </summary>
internal sealed class RunSupervisor(
    RunContext context, StopSignal stop, IHostApplicationLifetime host, Func<RunContext, int> run) : BackgroundService
{
    private readonly TaskCompletionSource<int> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the exit code when the run has been reported.</summary>
    public Task<int> Ended => _ended.Task;

    /// <summary>
    /// Ends the run because of what escaped from one of its threads; what was measured is still drained and reported.
    /// </summary>
    public void FailFromThread(Exception failure)
    {
        context.Fail(failure);
        stop.Request(StopCause.Failure);
    }

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
            FailFromThread(failure);
            End(context.ExitCode);
        }
    }

    private void Live()
    {
        var exitCode = ExitCode.Fault;
        try
        {
            exitCode = Execute();
        }
        finally
        {
            End(exitCode);
        }
    }

    private int Execute()
    {
        var verdict = ExitCode.Valid;
        if (MonotonicClock.IsSynthetic)
            RunLog.ClockIsSynthetic(context.Logger, SyntheticClock.Fault);
        context.Attempt(() => verdict = run(context));
        if (context.Phase != RunPhase.Report)
        {
            var endedIn = context.Phase;
            context.Enter(RunPhase.Report);
            verdict = ExitCode.Combine(verdict, context.ReportNothing(endedIn));
        }

        context.End();
        return ExitCode.Combine(context.ExitCode, verdict);
    }

    private void End(int exitCode)
    {
        _ended.SetResult(exitCode);
        host.StopApplication();
    }
}
