using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Opens what was lost again, on a thread of its own, while the measuring thread goes on counting what it cannot send.
/// It tries until it succeeds, until an error says that trying is of no use, or until it is disposed of.
/// </summary>
public sealed class Reconnector<T> : IDisposable
    where T : class, IDisposable
{
    private readonly CancellationTokenSource _ending = new();
    private readonly ManualResetEventSlim _settled = new();
    private T? _opened;
    private volatile Exception? _failure;
    private volatile RedisException? _lastError;

    /// <summary>Begins to open it.</summary>
    /// <param name="open">Opens it, ready to be used; called on another thread.</param>
    /// <param name="reconnection">Of the losses before, where there were any; nobody else uses it meanwhile.</param>
    /// <param name="mayPass">
    /// After which failures it tries again; where none is given, <see cref="RedisException.MayPassAtReconnect"/> says.
    /// </param>
    public Reconnector(
        Func<T> open, Reconnection? reconnection = null, Func<RedisException, bool>? mayPass = null)
    {
        reconnection ??= new Reconnection();
        mayPass ??= problem => problem.MayPassAtReconnect;
        new Thread(() => Run(open, reconnection, mayPass)) { IsBackground = true, Name = "redis-reconnect" }.Start();
    }

    /// <summary>Why it gave up: an error that will not pass; null while it tries, and when it succeeded.</summary>
    public Exception? Failure => _failure;

    /// <summary>Why the last attempt failed, for the live view.</summary>
    public RedisException? LastError => _lastError;

    /// <summary>Takes what was opened, once; never waits.</summary>
    public bool TryTake([NotNullWhen(true)] out T? opened)
    {
        opened = Volatile.Read(ref _opened) is null ? null : Interlocked.Exchange(ref _opened, null);
        return opened is not null;
    }

    /// <summary>Waits until it is open or never will be, at most for <paramref name="limit"/>.</summary>
    /// <returns>Whether it is settled.</returns>
    public bool Wait(TimeSpan limit) => _settled.Wait(limit);

    /// <summary>Stops trying; what nobody took is closed.</summary>
    public void Dispose()
    {
        _ending.Cancel();
        Interlocked.Exchange(ref _opened, null)?.Dispose();
    }

    private void Run(Func<T> open, Reconnection reconnection, Func<RedisException, bool> mayPass)
    {
        try
        {
            if (reconnection.TryReach(open, _ending.Token, out var opened, MayPass))
                Interlocked.Exchange(ref _opened, opened);
            // Whoever disposed of this meanwhile has not seen it.
            if (_ending.IsCancellationRequested)
                Interlocked.Exchange(ref _opened, null)?.Dispose();
        }
        catch (Exception problem)
        {
            _failure = problem;
        }

        _settled.Set();

        bool MayPass(RedisException problem) => mayPass(_lastError = problem);
    }
}
