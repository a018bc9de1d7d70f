namespace RedisLatency.Hosting.Running;

/// <summary>
/// What a service does in each phase; <see cref="RunLifecycle"/> decides when. All steps run one after the other on one
/// dedicated thread, never on the thread pool. A step that waits watches <see cref="RunContext.Stop"/> and returns
/// (or throws <see cref="OperationCanceledException"/>) soon after a request to stop.
/// </summary>
public interface IMeasuredRun
{
    /// <summary>Settles options and endpoints. Report is not called where this fails.</summary>
    void Resolve(RunContext context);

    /// <summary>Opens connections and looks at rights and versions.</summary>
    void Connect(RunContext context);

    /// <summary>Measures the instrument.</summary>
    void Calibrate(RunContext context);

    /// <summary>Meets the peers.</summary>
    void Rendezvous(RunContext context);

    /// <summary>Sends load that does not count.</summary>
    void WarmUp(RunContext context);

    /// <summary>Measures, until done or asked to stop.</summary>
    void Measure(RunContext context);

    /// <summary>
    /// Waits for stragglers. Called whenever <see cref="WarmUp"/> began, also after a stop or an expected failure, but
    /// not after a fault of our own. A request to stop does not shorten it: it ends by its own deadline.
    /// </summary>
    void Drain(RunContext context);

    /// <summary>
    /// Writes and prints what there is, also after a stop and after a failure: partial results are results.
    /// <see cref="RunContext.HasMeasured"/> tells whether there is anything, <see cref="RunContext.ExitCode"/> what
    /// the process ends with so far.
    /// </summary>
    /// <returns>
    /// The verdict as an <see cref="ExitCode"/>; combined with what is known already by
    /// <see cref="Running.ExitCode.Combine"/>.
    /// </returns>
    int Report(RunContext context);

    /// <summary>What the process ends with when a step throws; null leaves it to <see cref="FailureMapping"/>.</summary>
    int? ExitCodeFor(Exception failure, RunPhase phase) => null;
}
