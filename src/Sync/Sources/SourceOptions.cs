using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Psync;
using RedisLatency.Redis.Rdb;

namespace RedisLatency.Sync.Sources;

/// <summary>What is read, and how.</summary>
internal sealed record SourceOptions
{
    /// <summary>The source: a server, a cluster, or a primary that Sentinels know.</summary>
    public RedisEndpoint Endpoint { get; init; } = new();

    // The first slot of the shard that is read.
    public int Shard { get; init; }

    public RedisConnectionOptions Connection { get; init; } = new();

    // Whether another primary has taken the place of the one that is read; its link is dropped then.
    public Func<bool> IsReplaced { get; init; } = () => false;

    /// <summary>Whether a replica is read from where there is one.</summary>
    public bool PrefersReplica { get; init; }

    /// <summary>Whether the keys of the data set are passed on; without, it is only received.</summary>
    public bool ReadsDataSet { get; init; } = true;

    /// <summary>Whether to go on with the stream behind the data set.</summary>
    public bool ReadsStream { get; init; } = true;

    /// <summary>Whether the source hears what the target has; not where nothing is kept.</summary>
    public bool Acknowledges { get; init; } = true;

    public ReplicationOptions Replication { get; init; } = new();

    /// <summary>The names of PSYNC at services that renamed it, by <c>host:port</c>.</summary>
    public IReadOnlyDictionary<string, string> PsyncCommands { get; init; } = new Dictionary<string, string>();

    /// <summary>The most bytes of a value that are held; a longer one is passed on as commands, in parts.</summary>
    public long BigValue { get; init; } = RdbReader.DefaultBigValue;

    /// <summary>The format of the target, which decides the commands for such a value.</summary>
    public RdbFormat Target { get; init; } = new(IsValkey: false, RdbFormat.NewestOfRedis);

    // Whether each XCLAIM is answered, and so is found out which pending entries were deleted from a stream; or nothing
    // is written at all.
    public bool HearsOfClaims { get; init; }

    /// <summary>For how long a source that was lost is tried for.</summary>
    public TimeSpan LostLimit { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Commands of an append-only file that are later, in seconds since 1970, are left out.</summary>
    public long? Until { get; init; }
}
