using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Links;

/// <summary>Bytes of the stream not processed yet, at most: the destination is asked first. Needs no clock.</summary>
internal sealed class OffsetLag : IDisposable
{
    private readonly WatchConnection _source;
    private readonly WatchConnection _destination;
    private readonly ReporterThread _thread;
    private long _samples;
    private double _sum;
    private long _most;

    public OffsetLag(IServerLocator source, IServerLocator destination, TimeSpan interval, SessionEvents events)
    {
        (_source, _destination) = (new WatchConnection(source, events), new WatchConnection(destination, events));
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
