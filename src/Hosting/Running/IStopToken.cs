namespace RedisLatency.Hosting.Running;

/// <summary>Tells a run that it shall end. Read by hot loops, waited for by blocking steps.</summary>
public interface IStopToken
{
    /// <summary>Whether the run shall end: one volatile read, for loops that measure.</summary>
    bool IsRequested { get; }

    /// <summary>Who asked, or null while nobody has.</summary>
    StopCause? Cause { get; }

    /// <summary>For calls that take one, and for callbacks that wake something up; they must not throw.</summary>
    CancellationToken Cancellation { get; }

    /// <summary>Waits until the run shall end, at most for <paramref name="limit"/>.</summary>
    /// <returns>Whether it shall.</returns>
    bool WaitUntilRequested(TimeSpan limit);

    /// <summary>
    /// A second signal came: the process ends when the handlers return. For what must not stay behind, as a hidden
    /// cursor; handlers run on the signal's thread and must neither throw nor wait.
    /// </summary>
    event Action? EndingAtOnce;
}
