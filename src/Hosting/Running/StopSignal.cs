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
