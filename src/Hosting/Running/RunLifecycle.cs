using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Owns the phases of a run, for every service: <c>Resolve → Connect → Calibrate → Rendezvous → WarmUp → Measure →
/// Drain → Report</c>. A request to stop in any phase goes to Drain (where there has been load) and to Report.
/// </summary>
public sealed class RunLifecycle
{
    private readonly IMeasuredRun _run;
    private readonly StopSignal _stop;
    private readonly ILogger<RunLifecycle> _logger;
    private bool _hasFaulted;

    /// <summary>A lifecycle is good for one run.</summary>
    public RunLifecycle(IMeasuredRun run, StopSignal stop, TimeProvider time, ILogger<RunLifecycle> logger)
    {
        _run = run;
        _stop = stop;
        _logger = logger;
        Context = new RunContext(stop, time);
    }

    /// <summary>What is known about the run; may be read on any thread.</summary>
    public RunContext Context { get; }

    /// <summary>Lives the run on the calling thread.</summary>
    /// <returns>What the process ends with: an <see cref="ExitCode"/>.</returns>
    public int Execute()
    {
        var isResolved = Step(RunPhase.Resolve, _run.Resolve);
        _ = isResolved
            && Step(RunPhase.Connect, _run.Connect)
            && Step(RunPhase.Calibrate, _run.Calibrate)
            && Step(RunPhase.Rendezvous, _run.Rendezvous)
            && Step(RunPhase.WarmUp, _run.WarmUp)
            && Step(RunPhase.Measure, _run.Measure);

        if (Context.HasBegun(RunPhase.WarmUp) && !_hasFaulted)
            Perform(RunPhase.Drain, _run.Drain);

        var verdict = ExitCode.Valid;
        if (isResolved || Context.Stop.IsRequested)
            Perform(RunPhase.Report, context => verdict = _run.Report(context));

        return ExitCode.Combine(Context.ExitCode, verdict);
    }

    /// <summary>
    /// Ends the run because of what escaped from one of its threads; what was measured is still drained and reported.
    /// </summary>
    internal void FailFromThread(Exception failure)
    {
        Fail(failure, Context.Phase);
        _stop.Request(StopCause.Failure);
    }

    // Whether the next step may follow.
    private bool Step(RunPhase phase, Action<RunContext> step)
    {
        if (Context.Stop.IsRequested)
            return false;
        Perform(phase, step);
        return Context.Failure is null;
    }

    private void Perform(RunPhase phase, Action<RunContext> step)
    {
        Context.Begin(phase);
        RunLog.PhaseBegan(_logger, phase);
        try
        {
            step(Context);
        }
        catch (OperationCanceledException) when (Context.Stop.IsRequested && phase < RunPhase.Drain)
        {
        }
#pragma warning disable CA1031 // Whatever a step throws, what was measured is still reported.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _hasFaulted = Fail(failure, phase) == ExitCode.Fault;
        }
        finally
        {
            Context.End();
        }
    }

    private int Fail(Exception failure, RunPhase phase)
    {
        var exitCode = _run.ExitCodeFor(failure, phase) ?? FailureMapping.ExitCodeFor(failure, phase);
        var message = FailureMapping.Describe(failure, exitCode);
        Context.Fail(new RunFailure(phase, exitCode, message));
        RunLog.StepFailed(_logger, message);
        RunLog.StepFailedWhere(_logger, failure);
        return exitCode;
    }
}
