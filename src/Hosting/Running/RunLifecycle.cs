using RedisLatency.Hosting.Output;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Lives a run, for every service: what it does is one method that enters the phases in their order. A request to stop
/// ends it at the next phase up to Measure; what fails or is stopped in Measure is still drained and reported.
/// </summary>
internal sealed class RunLifecycle(RunContext context, StopSignal stop, Func<RunContext, int> run)
{
    /// <summary>What is known about the run; may be read on any thread.</summary>
    public RunContext Context => context;

    /// <summary>Lives the run on the calling thread.</summary>
    /// <returns>What the process ends with: an <see cref="ExitCode"/>.</returns>
    public int Execute()
    {
        var verdict = ExitCode.Valid;
        context.Attempt(() => verdict = run(context));
        if (context.Phase != RunPhase.Report)
        {
            var endedIn = context.Phase;
            context.Enter(RunPhase.Report);
            context.ReportNothing(endedIn);
        }

        context.End();
        return ExitCode.Combine(context.ExitCode, verdict);
    }

    /// <summary>
    /// Ends the run because of what escaped from one of its threads; what was measured is still drained and reported.
    /// </summary>
    public void FailFromThread(Exception failure)
    {
        context.Fail(failure);
        stop.Request(StopCause.Failure);
    }
}
