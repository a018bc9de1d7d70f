using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// On one connection writes a key and has the source WAIT until a replica has acknowledged it: how long that took, by
/// one clock, is more than the fastest replica's delay, by the way back and the way between this process and the
/// source. Then until as many have as there are destinations, where all of those are replicas.
/// </summary>
internal sealed class WaitProbe : IDisposable
{
    private const string LimitMilliseconds = "1000";

    private readonly WatchConnection _connection;
    private readonly string _key;
    private readonly string _expiry;
    private readonly int _replicas;
    private readonly ReporterThread _thread;

    /// <summary>Begins.</summary>
    /// <param name="source">The primary.</param>
    /// <param name="key">The key to write.</param>
    /// <param name="expiry">How long it lives.</param>
    /// <param name="interval">From one to the next.</param>
    /// <param name="replicas">How many are waited for after the first; 1 for no more.</param>
    public WaitProbe(IServerPlace source, string key, TimeSpan expiry, TimeSpan interval, int replicas)
    {
        _replicas = replicas;
        _connection = new WatchConnection(source);
        (_key, _expiry) = (key, FormattableString.Invariant($"{(long)expiry.TotalMilliseconds}"));
        _thread = new ReporterThread(interval, _ => Probe());
    }

    /// <summary>How long it took.</summary>
    public LatencyRecorder Took { get; } = new();

    /// <summary>How long it took until all of them had.</summary>
    public LatencyRecorder AllTook { get; } = new();

    /// <summary>How often no replica acknowledged within a second.</summary>
    public long Unacknowledged { get; private set; }

    /// <summary>How often one did, and not all within another second.</summary>
    public long NotAll { get; private set; }

    /// <summary>Why it cannot be done; null where it can.</summary>
    public string? Refusal { get; private set; }

    /// <inheritdoc/>
    public void Dispose()
    {
        _thread.Dispose();
        _connection.Dispose();
    }

    private void Probe()
    {
        if (Refusal is null)
            _connection.TryUse(Probe);
    }

    private bool Probe(RedisConnection connection)
    {
        var sent = MonotonicClock.NowNs();
        var written = connection.Request("SET", _key, "wait", "PX", _expiry);
        if (written.IsError)
            return false;
        var waited = connection.Request("WAIT", "1", LimitMilliseconds);
        var took = MonotonicClock.NowNs() - sent;
        if (waited.IsError)
            Refusal = waited.Text;
        else if (waited.Number == 0)
            Unacknowledged++;
        else
            Record(connection, sent, took);
        return true;
    }

    private void Record(RedisConnection connection, long sent, long took)
    {
        Took.Record(took);
        if (_replicas == 1)
            return;
        // It is the same key that it waits for.
        var waited = connection.Request("WAIT", FormattableString.Invariant($"{_replicas}"), LimitMilliseconds);
        if (!waited.IsError && waited.Number >= _replicas)
            AllTook.Record(MonotonicClock.NowNs() - sent);
        else
            NotAll++;
    }
}
