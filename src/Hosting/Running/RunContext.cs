using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.LivePages;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// A run as its service lives it, one phase after the other: <c>Resolve → Connect → Calibrate → Rendezvous → WarmUp →
/// Measure → Drain → Report</c>, on one dedicated thread, never on the thread pool. A step that waits watches
/// <see cref="Stop"/> and returns (or throws <see cref="OperationCanceledException"/>) soon after a request to stop.
/// </summary>
public sealed class RunContext
{
    private readonly Lock _gate = new();
    private readonly List<PhaseRecord> _phases = [];
    private volatile int _phase = (int)RunPhase.Resolve;
    private RunFailure? _failure;
    private bool _hasFaulted;

    /// <summary>It begins with <see cref="RunPhase.Resolve"/>.</summary>
    public RunContext(
        IStopToken stop, TimeProvider time, ILogger logger, StandardOutput output, Diagnostics diagnostics)
    {
        (Stop, Time, Logger, Output, Diagnostics) = (stop, time, logger, output, diagnostics);
        Begin(RunPhase.Resolve);
    }

    public IStopToken Stop { get; }
    public TimeProvider Time { get; }
    public ILogger Logger { get; }
    public StandardOutput Output { get; }
    public Diagnostics Diagnostics { get; }

    /// <summary>The page that is served while the run lasts; null where none is.</summary>
    public LivePage? Page { get; internal set; }

    /// <summary>The phase the run is in; may be read on any thread.</summary>
    public RunPhase Phase => (RunPhase)_phase;

    /// <summary>Why the run did not go to its end, or null; may be read on any thread.</summary>
    public RunFailure? Failure
    {
        get
        {
            lock (_gate)
                return _failure;
        }
    }

    /// <summary>Who stopped the run before its report, or null.</summary>
    public StopCause? StoppedBy { get; private set; }

    /// <summary>Whether it went to its end: neither stopped before nor failed.</summary>
    public bool IsWhole => StoppedBy is null && Failure is null;

    /// <summary>
    /// What the process ends with by what is known so far. Fixed when <see cref="RunPhase.Report"/> begins, so that the
    /// report can print it: a first signal that comes later stops nothing and changes nothing.
    /// </summary>
    public int ExitCode => Running.ExitCode.Combine(
        Failure?.ExitCode ?? (MonotonicClock.IsSynthetic ? Running.ExitCode.NotValid : Running.ExitCode.Valid),
        StoppedBy switch
        {
            null or StopCause.Failure => Running.ExitCode.Valid,
            StopCause.Interrupt => Running.ExitCode.Interrupted,
            _ => Running.ExitCode.Terminated,
        });

    /// <summary>The phases so far, in their order; may be read on any thread.</summary>
    public IReadOnlyList<PhaseRecord> Phases
    {
        get
        {
            lock (_gate)
                return [.. _phases];
        }
    }

    /// <summary>Goes on to a phase.</summary>
    /// <exception cref="OperationCanceledException">
    /// The run shall end, and what comes next is not Drain or Report.
    /// </exception>
    public void Enter(RunPhase phase)
    {
        if (phase <= RunPhase.Measure)
            Stop.Cancellation.ThrowIfCancellationRequested();
        End();
        Begin(phase);
        if (phase == RunPhase.Report)
            StoppedBy = Stop.Cause;
    }

    /// <summary>
    /// Does what may fail or be stopped without an end of the run: that becomes its <see cref="Failure"/>, and what was
    /// measured so far is still drained and reported.
    /// </summary>
    public void Attempt(Action step)
    {
        try
        {
            step();
        }
        catch (OperationCanceledException) when (Stop.IsRequested && Phase < RunPhase.Drain)
        {
        }
#pragma warning disable CA1031 // Whatever a step throws, what was measured is still reported.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _hasFaulted = Fail(failure) == Running.ExitCode.Fault;
        }
    }

    /// <summary>
    /// Makes a part of the report, of any number of elements. One that fails is a <see cref="Failure"/>, and costs
    /// itself: the others are reported.
    /// </summary>
    public IReadOnlyList<T> Parts<T>(Func<IReadOnlyList<T>> make)
    {
        IReadOnlyList<T> part = [];
        Attempt(() => part = make());
        return part;
    }

    /// <inheritdoc cref="Parts{T}(Func{IReadOnlyList{T}})"/>
    public T? Part<T>(Func<T?> make)
        where T : class
    {
        T? part = null;
        Attempt(() => part = make());
        return part;
    }

    /// <summary>
    /// Waits for stragglers; not after a fault of our own. A request to stop does not shorten it: it ends by its own
    /// deadline.
    /// </summary>
    public void Drain(Action step)
    {
        if (_hasFaulted)
            return;
        Enter(RunPhase.Drain);
        Attempt(step);
    }

    /// <summary>
    /// Tells that nothing was measured: not valid, unless the run failed, which says so itself, or was stopped.
    /// </summary>
    /// <returns>What that comes to, an <see cref="Running.ExitCode"/>.</returns>
    public int ReportNothing(RunPhase endedIn)
    {
        if (Failure is null)
            RunLog.NothingMeasured(Logger, endedIn);
        return IsWhole ? Running.ExitCode.NotValid : Running.ExitCode.Valid;
    }

    /// <summary>Ends the run because of what happened elsewhere; what was measured is drained and reported.</summary>
    public void EndBecause(Exception failure)
    {
        Fail(failure);
        (Stop as StopSignal)?.Request(StopCause.Failure);
    }

    internal void End()
    {
        lock (_gate)
        {
            var record = _phases[^1];
            _phases[^1] = record with { Duration = Time.GetElapsedTime(record.StartTimestamp) };
        }
    }

    // The first failure is the story; later ones may only make the exit code worse.
    internal int Fail(Exception failure)
    {
        var phase = Phase;
        var exitCode = FailureMapping.ExitCodeFor(failure, phase);
        var message = FailureMapping.Describe(failure, exitCode);
        lock (_gate)
        {
            _failure = _failure is { } first
                ? first with { ExitCode = Running.ExitCode.Combine(first.ExitCode, exitCode) }
                : new RunFailure(exitCode, message);
        }

        RunLog.StepFailed(Logger, message);
        RunLog.StepFailedWhere(Logger, failure);
        return exitCode;
    }

    private void Begin(RunPhase phase)
    {
        lock (_gate)
            _phases.Add(new PhaseRecord(phase, Time.GetUtcNow(), Time.GetTimestamp(), null));
        _phase = (int)phase;
        RunLog.PhaseBegan(Logger, phase);
    }
}

/// <summary>When one phase of a run began, and how long it took.</summary>
public sealed record PhaseRecord(RunPhase Phase, DateTimeOffset StartedAt, long StartTimestamp, TimeSpan? Duration);

/// <summary>Why a run did not go to its end.</summary>
public sealed record RunFailure(int ExitCode, string Message);
