namespace RedisLatency.Hosting.Running;

/// <summary>What the lifecycle knows about the run, for the steps of the service and for the live view.</summary>
public sealed class RunContext
{
    private readonly Lock _gate = new();
    private readonly List<PhaseRecord> _phases = [];
    private volatile int _phase = (int)RunPhase.Resolve;
    private RunFailure? _failure;

    internal RunContext(IStopToken stop, TimeProvider time)
    {
        Stop = stop;
        Time = time;
    }

    /// <summary>Tells whether the run shall end.</summary>
    public IStopToken Stop { get; }

    /// <summary>Where instants come from.</summary>
    public TimeProvider Time { get; }

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

    /// <summary>Whether <see cref="RunPhase.Measure"/> began.</summary>
    public bool HasMeasured => HasBegun(RunPhase.Measure);

    /// <summary>
    /// What the process ends with by what is known so far. Fixed when <see cref="RunPhase.Report"/> begins, so that the
    /// report can print it: a first signal that comes later stops nothing and changes nothing.
    /// </summary>
    public int ExitCode => Running.ExitCode.Combine(
        Failure?.ExitCode ?? Running.ExitCode.Valid,
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

    internal bool HasBegun(RunPhase phase)
    {
        lock (_gate)
            return _phases.Exists(record => record.Phase == phase);
    }

    internal void Begin(RunPhase phase)
    {
        lock (_gate)
            _phases.Add(new PhaseRecord(phase, Time.GetUtcNow(), Time.GetTimestamp(), null));
        _phase = (int)phase;
        if (phase == RunPhase.Report)
            StoppedBy = Stop.Cause;
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
    internal void Fail(RunFailure failure)
    {
        lock (_gate)
        {
            _failure = _failure is { } first
                ? first with { ExitCode = Running.ExitCode.Combine(first.ExitCode, failure.ExitCode) }
                : failure;
        }
    }
}

/// <summary>When one phase of a run began, and how long it took.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="StartedAt">The instant by the wall clock, UTC.</param>
/// <param name="StartTimestamp">The same as <see cref="TimeProvider.GetTimestamp"/> reads.</param>
/// <param name="Duration">How long it took; null while it lasts.</param>
public sealed record PhaseRecord(RunPhase Phase, DateTimeOffset StartedAt, long StartTimestamp, TimeSpan? Duration);

/// <summary>Why a run did not go to its end.</summary>
/// <param name="Phase">Where it failed.</param>
/// <param name="ExitCode">What the process ends with because of it.</param>
/// <param name="Message">One line for the user.</param>
public sealed record RunFailure(RunPhase Phase, int ExitCode, string Message);
