using System.Runtime.ExceptionServices;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// What escapes from a thread, a timer or the thread pool would end the process without a result: here it goes to the
/// runs of this process instead.
/// </summary>
internal static class ThreadFailures
{
    private static readonly Lock Gate = new();
    private static readonly List<Action<Exception>> Takers = [];
    private static bool _isSet;

    /// <summary>Until disposed of. Called on the thread that failed, which ends afterwards; must not throw.</summary>
    public static IDisposable GoTo(Action<Exception> taker)
    {
        lock (Gate)
        {
            // A process may set it once.
            if (!_isSet)
                ExceptionHandling.SetUnhandledExceptionHandler(TryHandOver);
            _isSet = true;
            Takers.Add(taker);
        }

        return new Registration(taker);
    }

    // The innermost alone: a run fails with what a program would only have printed.
    private static bool TryHandOver(Exception failure)
    {
        Action<Exception>? taker;
        lock (Gate)
            taker = Takers.LastOrDefault();
        taker?.Invoke(failure);
        return taker is not null;
    }

    private sealed class Registration(Action<Exception> taker) : IDisposable
    {
        public void Dispose()
        {
            lock (Gate)
                Takers.Remove(taker);
        }
    }
}
