namespace RedisLatency.Sync.Pipeline;

/// <summary>The first thing that ends a synchronisation before its time, for all its threads.</summary>
internal sealed class SyncFault : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private Exception? _first;

    public Exception? First => Volatile.Read(ref _first);

    public CancellationToken Ended => _source.Token;

    public bool IsSet => _source.IsCancellationRequested;

    public void Set(Exception failure)
    {
        if (failure is not OperationCanceledException)
            Interlocked.CompareExchange(ref _first, failure, null);
        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The run was over before the thread that nobody waited for.
        }
    }

    /// <exception cref="OperationCanceledException">It is set.</exception>
    public void ThrowIfSet() => _source.Token.ThrowIfCancellationRequested();

    /// <exception cref="OperationCanceledException">It is set, or was meanwhile.</exception>
    public void Wait(TimeSpan pause)
    {
        _source.Token.WaitHandle.WaitOne(pause);
        ThrowIfSet();
    }

    public void Dispose() => _source.Dispose();
}
