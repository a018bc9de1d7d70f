using System.Text;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Servers;

/// <summary>The servers that share the keys of one database: one, or the primaries of a cluster.</summary>
internal sealed class KeyServers : IDisposable
{
    private const int Batch = 4096;

    private readonly SlotMap? _map;
    private readonly RedisPipeline[] _pipelines;
    private readonly RedisEndpoint[] _endpoints;
    private readonly RedisConnectionOptions _options;

    private KeyServers(RedisEndpoint[] endpoints, SlotMap? map, RedisConnectionOptions options)
    {
        (_endpoints, _map, _options) = (endpoints, map, options);
        _pipelines = new RedisPipeline[endpoints.Length];
    }

    public IReadOnlyList<RedisEndpoint> Endpoints => _endpoints;

    public string Name => string.Join(", ", _endpoints.Select(endpoint => endpoint.Address));

    public static IReadOnlyList<KeyServers> Of(EnginePlan plan)
    {
        var options = plan.Connection with { ClientName = "redislatency-control" };
        using var source = ServerSource.Open(plan);
        return source is { Current: var map }
            ? [OfMap(map, options)]
            : [.. plan.Endpoints.Distinct().Select(endpoint => new KeyServers([endpoint], null, options))];
    }

    public static IReadOnlyList<KeyServers> Of(IReadOnlyList<ResolvedTarget> targets)
    {
        var options = targets[0].Connection with { ClientName = "redislatency-control" };
        if (!ObservedServers.IsOfCluster(targets[0]))
            return [.. targets.Select(target => new KeyServers([target.Endpoint], null, options))];
        using var source = SlotMapSource.Open(targets[0].Endpoint, options);
        return [OfMap(source.Current, options)];
    }

    public long? CountKeys()
    {
        var sum = 0L;
        foreach (var endpoint in _endpoints)
        {
            using var control = RedisConnection.Open(endpoint, _options);
            if (control.Request("DBSIZE") is not { IsError: false } reply)
                return null;
            sum += reply.Number;
        }

        return sum;
    }

    /// <summary>Sends a command about one key, and waits for its reply, which may be an error.</summary>
    public RespValue Request(string key, params ReadOnlySpan<string> words)
    {
        using var control = RedisConnection.Open(_endpoints[PlaceOf(Encoding.UTF8.GetBytes(key))], _options);
        return control.Request(words);
    }

    /// <summary>TYPE or UNLINK, many keys at a time; tells the number of each that was there, and its type.</summary>
    public void ForEach(string command, KeyForm form, IEnumerable<long> indexes, KeyFound found)
    {
        var buffers = _endpoints.Select(_ => new RequestBuffer()).ToArray();
        var sent = _endpoints.Select(_ => new List<long>(Batch)).ToArray();
        var head = Encoding.ASCII.GetBytes($"*2\r\n${command.Length}\r\n{command}\r\n");
        var key = new byte[form.MaximumLength];
        foreach (var index in indexes)
        {
            var length = form.Write(index, key);
            var place = PlaceOf(key.AsSpan(0, length));
            buffers[place].Write(head);
            buffers[place].Write(Encoding.ASCII.GetBytes($"${length}\r\n"));
            buffers[place].Write(key.AsSpan(0, length));
            buffers[place].Write("\r\n"u8);
            sent[place].Add(index);
            if (sent[place].Count == Batch)
                Exchange(place, buffers[place], sent[place], found);
        }

        for (var place = 0; place < sent.Length; place++)
        {
            if (sent[place].Count > 0)
                Exchange(place, buffers[place], sent[place], found);
        }
    }

    public void Dispose()
    {
        foreach (var pipeline in _pipelines)
            pipeline?.Dispose();
    }

    private static KeyServers OfMap(SlotMap map, RedisConnectionOptions options) =>
        new([.. map.Shards.Select(shard => shard.Primary.Endpoint)], map, options);

    private int PlaceOf(ReadOnlySpan<byte> key)
    {
        if (_map is null || _endpoints.Length == 1)
            return 0;
        var primary = _map.PrimaryOf(KeySlot.Of(key))?.Endpoint
            ?? throw new RedisServerException($"CLUSTERDOWN nobody serves slot {KeySlot.Of(key)}");
        return Array.IndexOf(_endpoints, primary);
    }

    private void Exchange(int place, RequestBuffer requests, List<long> indexes, KeyFound found)
    {
        var pipeline = _pipelines[place] ??= RedisPipeline.Open(_endpoints[place], _options);
        pipeline.Send(requests.Written, indexes.Count);
        foreach (var index in indexes)
        {
            var reply = pipeline.Await($"a request to {_endpoints[place]}");
            if (reply.IsError)
                throw new RedisServerException(Encoding.UTF8.GetString(reply.Content));
            if (!reply.Content.SequenceEqual("none"u8) && !reply.Content.SequenceEqual("0"u8))
                found(index, reply.Content.SequenceEqual("string"u8));
        }

        indexes.Clear();
        requests.Clear();
    }
}

/// <summary>A key that is there; TYPE tells whether it is a string.</summary>
internal delegate void KeyFound(long index, bool isString);
