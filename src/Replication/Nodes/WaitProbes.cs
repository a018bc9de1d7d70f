using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Nodes;

internal sealed class WaitProbes : IDisposable
{
    private readonly List<WaitProbe> _probes = [];

    public WaitProbes(
        IEnumerable<(string Prefix, IServerPlace Place)> places, ulong session, TimeSpan expiry, TimeSpan interval,
        int replicas = 1)
    {
        if (interval > TimeSpan.Zero)
        {
            _probes.AddRange(places.Select(one => new WaitProbe(
                one.Place, FormattableString.Invariant($"{one.Prefix}:{session:x16}:wait"), expiry, interval,
                replicas)));
        }

        if (_probes.Count == 0)
            return;
        var first = new MetricSeries(DelayMetrics.Wait, [.. _probes.Select(wait => wait.Took)]);
        Series = replicas == 1
            ? [first]
            : [first, new MetricSeries(DelayMetrics.WaitForAll, [.. _probes.Select(wait => wait.AllTook)])];
    }

    public IReadOnlyList<MetricSeries> Series { get; } = [];

    public IEnumerable<string> Notes
    {
        get
        {
            if (_probes.Select(wait => wait.Refusal).FirstOrDefault(text => text is not null) is { } refusal)
                yield return $"WAIT was refused, so there is no bound by it: {refusal}";
            if (_probes.Sum(wait => wait.Unacknowledged) is var unacknowledged and > 0)
                yield return $"No replica acknowledged a key within a second (WAIT): {Times(unacknowledged)}.";
            if (_probes.Sum(wait => wait.NotAll) is var notAll and > 0)
            {
                yield return "A replica acknowledged a key, and not as many as there are destinations (WAIT): "
                    + $"{Times(notAll)}.";
            }
        }
    }

    public void CountMissing()
    {
        var unacknowledged = _probes.Sum(wait => wait.Unacknowledged);
        if (Series.Count > 0)
            Series[0].Total.AddMissing(unacknowledged);
        if (Series.Count > 1)
            Series[1].Total.AddMissing(unacknowledged + _probes.Sum(wait => wait.NotAll));
    }

    public void Dispose() => _probes.ForEach(wait => wait.Dispose());

    private static string Times(long count) => count == 1 ? "once" : $"{Quantity.Count(count)} times";
}

/// <summary>
/// Times WAIT at the source after a write: for one replica, and where all destinations are replicas for as many. By one
/// clock, it is more than the fastest replica's delay by the way back and the way between here and the source.
/// </summary>
internal sealed class WaitProbe : IDisposable
{
    private const string LimitMilliseconds = "1000";

    private readonly WatchConnection _connection;
    private readonly string _key;
    private readonly string _expiry;
    private readonly int _replicas;
    private readonly ReporterThread _thread;

    public WaitProbe(IServerPlace source, string key, TimeSpan expiry, TimeSpan interval, int replicas)
    {
        _replicas = replicas;
        _connection = new WatchConnection(source);
        (_key, _expiry) = (key, FormattableString.Invariant($"{(long)expiry.TotalMilliseconds}"));
        _thread = new ReporterThread(interval, _ => Probe());
    }

    public LatencyRecorder Took { get; } = new();
    public LatencyRecorder AllTook { get; } = new();
    public long Unacknowledged { get; private set; }
    public long NotAll { get; private set; }
    public string? Refusal { get; private set; }

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
