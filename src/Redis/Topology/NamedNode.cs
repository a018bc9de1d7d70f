using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>Reads what both replies say alike: ranges of slots, hosts and ports.</summary>
internal static class NamedNode
{
    public static SlotRange Range(RespValue first, RespValue last)
    {
        var range = (First: Number(first), Last: Number(last));
        if (range.First < 0 || range.Last >= KeySlot.Count || range.First > range.Last)
            throw new RedisProtocolException($"the slots {range.First} to {range.Last} are no range of a cluster's");
        return new SlotRange((int)range.First, (int)range.Last);
    }

    public static int Port(RespValue value)
    {
        var port = Number(value);
        return port is >= 0 and <= ushort.MaxValue
            ? (int)port
            : throw new RedisProtocolException($"a server's port is {port}");
    }

    /// <summary>The first of the places to find a host's name that has one; empty where none does.</summary>
    public static byte[] Host(params ReadOnlySpan<RespValue?> places)
    {
        foreach (var place in places)
        {
            var host = place is { IsNull: false } ? place.Text.Trim() : string.Empty;
            if (ClusterHost.IsKnown(host))
                return Encoding.UTF8.GetBytes(host);
        }

        return [];
    }

    private static long Number(RespValue value) => value.Type == RespType.Integer
        ? value.Number
        : throw new RedisProtocolException($"a number is {value}");
}
