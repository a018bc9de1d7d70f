using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Nodes;

/// <summary>Everything that is looked at beside the keys while both ends are measured from here.</summary>
internal sealed class LinkWatch : IDisposable
{
    private readonly List<EndWatcher> _ends = [];
    private readonly Dictionary<KeyWay, OffsetLag> _lags = [];
    private readonly WaitProbes _waits;
    private bool _isDisposed;

    public LinkWatch(
        IReadOnlyList<KeyWay> ways, DelayOptions options, ulong session, SessionEvents events, int replicas = 1)
    {
        if (options.WatchInterval > TimeSpan.Zero)
        {
            foreach (var place in DifferentServers(ways.Select(way => way.Source))
                .Concat(DifferentServers(ways.Select(way => way.Destination))))
            {
                _ends.Add(new EndWatcher(place, options.WatchInterval, events));
            }

            foreach (var way in ways)
                _lags.Add(way, new OffsetLag(way.Source, way.Destination, options.WatchInterval));
        }

        _waits = new WaitProbes(
            ways.DistinctBy(way => way.Stream).Select(way => (way.Prefix, way.Source)), session, options.Expiry,
            options.WaitInterval, replicas);
    }

    public IReadOnlyList<MetricSeries> Series => _waits.Series;

    public IEnumerable<string> Notes => _waits.Notes;

    // Which share of its time the busiest of these servers spent with GET and MGET; null where none tells.
    public double? ReadingShareAt(IEnumerable<IServerPlace> destinations)
    {
        var names = destinations.Select(place => place.Target?.Name).ToHashSet();
        return _ends.Where(end => names.Contains(end.Place.Target?.Name)).Max(end => end.ReadingShare);
    }

    public void CountMissing() => _waits.CountMissing();

    public LagBytes? Lag => LagOf(_lags.Keys);

    public LagBytes? LagOf(IEnumerable<KeyWay> ways)
    {
        var known = ways.Select(way => _lags.GetValueOrDefault(way)?.Result).OfType<LagBytes>().ToList();
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
        _ends.ForEach(end => end.Dispose());
    }

    private static IEnumerable<IServerPlace> DifferentServers(IEnumerable<IServerPlace> places) =>
        places.DistinctBy(place => place.Target?.Name);
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
        _thread = new ReporterThread(interval, _ => Look());
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
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        EndState.Add(reply.Text, fields);
        // A replica's own offset counts what it has processed; master_repl_offset of a primary what it has produced.
        var text = fields.GetValueOrDefault("slave_repl_offset") ?? fields.GetValueOrDefault("master_repl_offset");
        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var offset)
            ? (fields.GetValueOrDefault("master_replid") ?? string.Empty, offset)
            : default;
    }

    private void Look()
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
