using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Probe;

/// <summary>The one key of a shard that is written over and over, and the request that reads it.</summary>
internal sealed class HeartbeatKey
{
    private readonly byte[] _request;

    public HeartbeatKey(string prefix, ulong session)
    {
        (Name, Session) = (FormattableString.Invariant($"{prefix}:heartbeat:{session:x16}"), session);
        NameBytes = Encoding.ASCII.GetBytes(Name);
        var request = new RespWriter();
        request.WriteRequest("GET", Name);
        _request = request.Written.ToArray();
    }

    public string Name { get; }
    public byte[] NameBytes { get; }
    public ulong Session { get; }

    public ReadOnlySpan<byte> Request => _request;
}
