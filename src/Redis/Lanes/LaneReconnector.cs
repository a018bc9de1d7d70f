using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Lanes;

/// <summary>
/// Opens a lost lane again, on a thread of its own, while the measuring thread goes on counting what it cannot send.
/// It tries until it succeeds, until an error says that trying is of no use, or until it is disposed of.
/// </summary>
public sealed class LaneReconnector : IDisposable
{
    private readonly Func<IPubSubLane> _open;
    private readonly JitteredBackoff _backoff;
    private readonly ManualResetEventSlim _cancelled = new();
    private readonly ManualResetEventSlim _settled = new();
    private IPubSubLane? _lane;
    private volatile Exception? _failure;
    private volatile RedisException? _lastError;
    private int _attempts;

    private LaneReconnector(Func<IPubSubLane> open, JitteredBackoff backoff)
    {
        _open = open;
        _backoff = backoff;
    }

    /// <summary>Why it gave up: an error that is not transient; null while it tries, and when it succeeded.</summary>
    public Exception? Failure => _failure;

    /// <summary>Why the last attempt failed, for the live view.</summary>
    public RedisException? LastError => _lastError;

    /// <summary>How many attempts have been made.</summary>
    public int Attempts => Volatile.Read(ref _attempts);

    /// <summary>Begins to open the lane.</summary>
    /// <param name="open">Opens it with all its subscriptions; called on another thread.</param>
    /// <param name="backoff">The waits between attempts.</param>
    public static LaneReconnector Start(Func<IPubSubLane> open, JitteredBackoff? backoff = null)
    {
        var reconnector = new LaneReconnector(open, backoff ?? new JitteredBackoff());
        new Thread(reconnector.Run) { IsBackground = true, Name = "redis-reconnect" }.Start();
        return reconnector;
    }

    /// <summary>Takes the lane once it is open; never waits.</summary>
    public bool TryTake([NotNullWhen(true)] out IPubSubLane? lane)
    {
        lane = Volatile.Read(ref _lane) is null ? null : Interlocked.Exchange(ref _lane, null);
        return lane is not null;
    }

    /// <summary>Waits until the lane is open or never will be, at most for <paramref name="limit"/>.</summary>
    /// <returns>Whether it is settled.</returns>
    public bool Wait(TimeSpan limit) => _settled.Wait(limit);

    /// <summary>Stops trying; a lane that nobody took is closed.</summary>
    public void Dispose()
    {
        _cancelled.Set();
        Interlocked.Exchange(ref _lane, null)?.Dispose();
    }

    private void Run()
    {
        while (!_cancelled.IsSet)
        {
            try
            {
                Interlocked.Increment(ref _attempts);
                Interlocked.Exchange(ref _lane, _open());
                // Whoever disposed of this meanwhile has not seen the lane.
                if (_cancelled.IsSet)
                    Interlocked.Exchange(ref _lane, null)?.Dispose();
                _settled.Set();
                return;
            }
            catch (RedisException problem) when (problem.MayPassAtReconnect)
            {
                _lastError = problem;
            }
            catch (Exception problem)
            {
                _failure = problem;
                _settled.Set();
                return;
            }

            _cancelled.Wait(_backoff.Next());
        }
    }
}
