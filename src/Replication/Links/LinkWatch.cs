using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Links;

internal sealed class LinkWatch : IDisposable
{
    private readonly NodeWatchers _nodes;
    private readonly Dictionary<IServerPlace, OffsetLag> _lags = [];
    private readonly WaitProbes _waits;
    private bool _isDisposed;

    public LinkWatch(IReadOnlyList<KeyWay> ways, DelayOptions options, ulong session, SessionEvents events)
    {
        _nodes = new NodeWatchers(
            ways.Select(way => way.Source).Concat(ways.Select(way => way.Destination)), options.WatchInterval, events);
        foreach (var way in ways.Where(_ => options.WatchInterval > TimeSpan.Zero))
            _lags.Add(way.Destination, new OffsetLag(way.Source, way.Destination, options.WatchInterval));
        _waits = new WaitProbes(KeyWay.StreamsOf(ways), session, options.Expiry, options.WaitInterval);
    }

    public IReadOnlyList<MetricSeries> Series => _waits.Series;

    public IEnumerable<string> Notes => _waits.Notes;

    public double? ReadingShareAt(IEnumerable<IServerPlace> destinations) => _nodes.ReadingShareAt(destinations);

    public void CountMissing() => _waits.CountMissing();

    public LagBytes? Lag => LagAt(_lags.Keys);

    public LagBytes? LagAt(IEnumerable<IServerPlace> destinations)
    {
        var known = destinations.Select(place => _lags.GetValueOrDefault(place)?.Result).OfType<LagBytes>().ToList();
        var samples = known.Sum(lag => lag.Samples);
        return samples == 0
            ? null
            : new LagBytes(samples, known.Sum(lag => lag.Mean * lag.Samples) / samples, known.Max(lag => lag.Most));
    }

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _waits.Dispose();
        foreach (var lag in _lags.Values)
            lag.Dispose();
        _nodes.Dispose();
    }
}

/// <summary>Bytes of the stream not processed yet, at most: the destination is asked first. Needs no clock.</summary>
internal sealed class OffsetLag : IDisposable
{
    private readonly WatchConnection _source;
    private readonly WatchConnection _destination;
    private readonly ReporterThread _thread;
    private long _samples;
    private double _sum;
    private long _most;

    public OffsetLag(IServerPlace source, IServerPlace destination, TimeSpan interval)
    {
        (_source, _destination) = (new WatchConnection(source), new WatchConnection(destination));
        _thread = new ReporterThread(interval, _ => Poll());
    }

    public LagBytes? Result => _samples == 0 ? null : new LagBytes(_samples, _sum / _samples, _most);

    public void Dispose()
    {
        _thread.Dispose();
        _source.Dispose();
        _destination.Dispose();
    }

    private static (string Stream, long Offset) Ask(RedisConnection connection)
    {
        var reply = connection.Request(RespLimits.List, "INFO", "replication");
        if (reply.IsError)
            return default;
        var fields = ServerFacts.FieldsOf(reply.Text);
        // A replica's own offset counts what it has processed; master_repl_offset of a primary what it has produced.
        var text = fields.GetValueOrDefault("slave_repl_offset") ?? fields.GetValueOrDefault("master_repl_offset");
        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var offset)
            ? (fields.GetValueOrDefault("master_replid") ?? string.Empty, offset)
            : default;
    }

    private void Poll()
    {
        var destination = _destination.TryUse(Ask);
        var source = _source.TryUse(Ask);
        if (string.IsNullOrEmpty(source.Stream) || source.Stream != destination.Stream)
            return;
        var lag = source.Offset - destination.Offset;
        _samples++;
        _sum += lag;
        _most = Math.Max(_most, lag);
    }
}

/// <summary>Reports when nothing comes of what is on its way: a stalled link stays connected. One thread.</summary>
internal sealed class LinkStandstill(string label, double intervalNs, SessionEvents events)
{
    public const long LeastNs = 1_000_000_000;

    private long _sinceNs;

    public long StandsForNs { get; private set; }

    public void Check(long nowNs, long sinceNs)
    {
        var isStill = nowNs - sinceNs > LeastNs + (2 * intervalNs);
        if (isStill && StandsForNs == 0)
        {
            _sinceNs = sinceNs;
            events.Note(
                "link-stalled",
                $"{label}: nothing has come for {Quantity.Duration(nowNs - sinceNs)}, although something is due");
        }
        else if (!isStill && StandsForNs > 0)
        {
            events.Note(
                "link-resumed", $"{label}: comes again, after {Quantity.Duration(sinceNs - _sinceNs)} of nothing");
        }

        StandsForNs = isStill ? nowNs - sinceNs : 0;
    }
}
