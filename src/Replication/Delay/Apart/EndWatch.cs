using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Delay.Apart;

/// <summary>Watches for what the writer tells at its end, on a thread and a connection of its own.</summary>
internal sealed class EndWatch : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly ResolvedTarget _destination;
    private readonly string _key;
    private readonly Action<WritingEnd> _ended;
    private readonly ManualResetEvent _hasEnded = new(initialState: false);
    private readonly ReporterThread _thread;
    private RedisConnection? _connection;

    /// <summary>Begins to watch.</summary>
    /// <param name="destination">Where it is replicated to.</param>
    /// <param name="key">The key.</param>
    /// <param name="ended">Is called once, on another thread.</param>
    public EndWatch(ResolvedTarget destination, string key, Action<WritingEnd> ended)
    {
        (_destination, _key, _ended) = (destination, key, ended);
        _thread = new ReporterThread(Interval, _ => Look());
    }

    /// <summary>What the writer told; null as long as it did not.</summary>
    public WritingEnd? End { get; private set; }

    /// <summary>Waits for it.</summary>
    public void Wait(TimeSpan limit) => _hasEnded.WaitOne(limit);

    /// <inheritdoc/>
    public void Dispose()
    {
        _thread.Dispose();
        _connection?.Dispose();
        _hasEnded.Dispose();
    }

    private void Look()
    {
        if (End is not null)
            return;
        try
        {
            _connection ??= _destination.OpenControl();
            var seen = _connection.Request("GET", _key);
            if (seen.IsError || seen.IsNull || WritingEnd.Read(seen.Text) is not { } end)
                return;
            End = end;
            _ended(end);
            _hasEnded.Set();
        }
        catch (RedisException)
        {
            // The reader tells what is wrong there; this only looks again.
            _connection?.Dispose();
            _connection = null;
        }
    }
}
