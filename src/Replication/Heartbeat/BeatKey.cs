using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>The one key of a writer's heartbeats.</summary>
internal sealed class BeatKey
{
    private readonly byte[] _request;

    /// <summary>The key behind a prefix.</summary>
    /// <param name="prefix">What it begins with; of a shard's it has a tag.</param>
    /// <param name="session">What its values carry.</param>
    public BeatKey(string prefix, ulong session)
    {
        (Name, Session) = (FormattableString.Invariant($"{prefix}:heartbeat:{session:x16}"), session);
        var request = new RespWriter();
        request.WriteRequest("GET", Name);
        _request = request.Written.ToArray();
    }

    /// <summary>The key.</summary>
    public string Name { get; }

    /// <summary>What its values carry.</summary>
    public ulong Session { get; }

    /// <summary>What to send to look at it.</summary>
    public ReadOnlySpan<byte> Request => _request;
}
