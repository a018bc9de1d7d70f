using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Links;

/// <summary>Times WAIT on each stream, where that is asked for.</summary>
internal sealed class WaitProbes : IDisposable
{
    private readonly List<WaitProbe> _probes = [];

    public WaitProbes(
        IEnumerable<KeyStream> streams, ulong session, TimeSpan expiry, TimeSpan interval, SessionEvents events)
    {
        if (interval > TimeSpan.Zero)
        {
            _probes.AddRange(streams.Select(one => new WaitProbe(
                one.Source, FormattableString.Invariant($"{one.Prefix}:{session:x16}:wait"), expiry, interval,
                events)));
            Series = [new MetricSeries(DelayMetrics.Wait, [.. _probes.Select(wait => wait.Took)])];
        }
    }

    public IReadOnlyList<MetricSeries> Series { get; } = [];

    public IEnumerable<string> Notes
    {
        get
        {
            if (_probes.Select(wait => wait.Refusal).FirstOrDefault(text => text is not null) is { } refusal)
                yield return $"WAIT was refused, so there is no bound by it: {refusal}";
            if (Unacknowledged is var unacknowledged and > 0)
            {
                var times = unacknowledged == 1 ? "once" : $"{Quantity.Count(unacknowledged)} times";
                yield return $"No replica acknowledged a key within a second (WAIT): {times}.";
            }
        }
    }

    private long Unacknowledged => _probes.Sum(wait => wait.Unacknowledged);

    public void CountMissing()
    {
        foreach (var series in Series)
            series.Total.AddMissing(Unacknowledged);
    }

    public void Dispose() => _probes.ForEach(wait => wait.Dispose());
}

/// <summary>
/// Times WAIT for one replica at the source after a write. By one clock, it is more than the fastest replica's delay by
/// the way back and the way between here and the source.
/// </summary>
internal sealed class WaitProbe : IDisposable
{
    private const string LimitMilliseconds = "1000";

    private readonly WatchConnection _connection;
    private readonly string _key;
    private readonly string _expiry;
    private readonly ReporterThread _thread;

    public WaitProbe(IServerLocator source, string key, TimeSpan expiry, TimeSpan interval, SessionEvents events)
    {
        _connection = new WatchConnection(source, events);
        (_key, _expiry) = (key, FormattableString.Invariant($"{(long)expiry.TotalMilliseconds}"));
        _thread = new ReporterThread(interval, _ => Probe());
    }

    public LatencyRecorder Took { get; } = new();
    public long Unacknowledged { get; private set; }
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
            Took.Record(took);
        return true;
    }
}
