using System.Text;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Tests.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>Replies as bytes and as maps.</summary>
internal static class Replies
{
    /// <summary>An array, each part as RESP already.</summary>
    public static string Array(params string[] parts) => $"*{parts.Length}\r\n{string.Concat(parts)}";

    /// <summary>A bulk string.</summary>
    public static string Bulk(string text) => $"${Encoding.UTF8.GetByteCount(text)}\r\n{text}\r\n";

    /// <summary>An integer.</summary>
    public static string Number(long number) => $":{number}\r\n";

    /// <summary>An entry of CLUSTER SLOTS.</summary>
    public static string Range(int first, int last, params string[] servers) =>
        Array([Number(first), Number(last), .. servers]);

    /// <summary>CLUSTER SLOTS of a cluster of one server.</summary>
    public static string All(string host, int port) => Array(Range(0, 16383, Server(host, port)));

    /// <summary>A server of CLUSTER SLOTS, as before Redis 7.0.</summary>
    public static string Server(string host, int port) => Array(Bulk(host), Number(port), Bulk($"id-of-{host}-{port}"));

    /// <summary>A server of CLUSTER SLOTS with other addresses, as RESP2 says them.</summary>
    public static string Server(string host, int port, params string[] others) =>
        Array(Bulk(host), Number(port), Bulk("id"), Array([.. others.Select(Bulk)]));

    /// <summary>A shard of CLUSTER SHARDS.</summary>
    public static string Shard(int[] slots, params string[] members) => Array(
        Bulk("slots"), Array([.. slots.Select(slot => Number(slot))]), Bulk("nodes"), Array(members));

    /// <summary>A member of a shard: fields and values; ports are numbers.</summary>
    public static string Member(params string[] fields) => Array(
        [.. fields.Select((text, i) => i % 2 == 1 && int.TryParse(text, out var port) ? Number(port) : Bulk(text))]);

    public static RespValue Value(string resp, params IEnumerable<int> pieces)
    {
        var bytes = Encoding.UTF8.GetBytes(resp);
        var reader = new RespReader();
        var position = 0;
        foreach (var piece in pieces.DefaultIfEmpty(bytes.Length))
        {
            reader.Feed(bytes.AsSpan(position, piece));
            position += piece;
        }

        return reader.TryReadValue(out var value) ? value : throw new InvalidOperationException("not a whole reply");
    }

    /// <summary>The map that a reply to CLUSTER SLOTS gives, asked of the server at an endpoint.</summary>
    public static SlotMap Slots(RespValue reply, string asked = "redis://asked:7000")
    {
        var (nodes, node) = Nodes(asked);
        return new SlotMap(0, SlotsReply.Read(reply, nodes, node));
    }

    /// <summary>The map that a reply to CLUSTER SHARDS gives, asked of the server at an endpoint.</summary>
    public static SlotMap Shards(RespValue reply, string asked = "redis://asked:7000")
    {
        var (nodes, node) = Nodes(asked);
        return new SlotMap(0, ShardsReply.Read(reply, nodes, node));
    }

    private static (ClusterNodes Nodes, ClusterNode Asked) Nodes(string asked)
    {
        var endpoint = RedisEndpoint.Parse(asked);
        var nodes = new ClusterNodes(endpoint);
        return (nodes, nodes.Add(endpoint));
    }
}
