namespace RedisLatency.Hosting.Running;

/// <summary>The request to end a run, made once, by a signal or by a test.</summary>
public sealed class StopSignal : IStopToken, IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly Lock _gate = new();
    private volatile bool _isRequested;
    private StopCause _cause;

    public event Action? EndingAtOnce;

    public bool IsRequested => _isRequested;

    public StopCause? Cause => _isRequested ? _cause : null;

    public CancellationToken Cancellation => _source.Token;

    public bool WaitUntilRequested(TimeSpan limit) => _source.Token.WaitHandle.WaitOne(limit);

    /// <summary>Asks the run to end.</summary>
    /// <returns>Whether this was the first request.</returns>
    public bool Request(StopCause cause) => Request(cause, announce: null);

    // Announced between the flag and the waking, so that the announcement comes before what it announces.
    internal bool Request(StopCause cause, Action? announce)
    {
        lock (_gate)
        {
            if (_isRequested)
                return false;
            _cause = cause;
            _isRequested = true;
        }

        announce?.Invoke();
        _source.Cancel();
        return true;
    }

    internal void AnnounceEnd() => EndingAtOnce?.Invoke();

    public void Dispose() => _source.Dispose();
}

/// <summary>Who asked a run to end before its time.</summary>
public enum StopCause
{
    /// <summary>SIGINT, Ctrl-C: the run ends with 130.</summary>
    Interrupt,

    /// <summary>SIGTERM: the run ends with 143.</summary>
    Terminate,

    /// <summary>SIGHUP, the terminal went away: treated as SIGTERM.</summary>
    HangUp,

    /// <summary>A thread of this process failed: the run ends with what its failure means.</summary>
    Failure,
}

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
