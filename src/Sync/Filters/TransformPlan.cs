using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Filters;

/// <summary>What is filtered and changed, the same for all shards.</summary>
internal sealed record TransformPlan
{
    public FilterOptions Filter { get; init; } = new();

    public FunctionPlan? Function { get; init; }

    // A file may tell of slots that moved long ago.
    public bool ReadsServer { get; init; }

    // Where commands follow that may give a key more time.
    public bool ExtendsExpiredKeys { get; init; }

    // Of the target; of the source where that is a file.
    public ServerClock Clock { get; init; } = ServerClock.OfThisMachine;

    /// <summary>What the function logs.</summary>
    public Action<string> Log { get; init; } = _ => { };

    /// <summary>Whether keys that are there at the target are replaced, as functions are shown it.</summary>
    public bool ReplacesKeys { get; init; }

    public bool IsTargetCluster { get; init; }

    // Null where it is a file.
    public RdbFormat? Target { get; init; }

    public bool TargetExitsAtModules { get; init; }

    // Of the source.
    public int Shards { get; init; } = 1;

    public bool HasShards => Shards > 1;

    /// <summary>Whether keys decide where an entry goes.</summary>
    public bool NeedsSlots { get; init; }

    public IReadOnlyDictionary<int, int> Databases { get; init; } = new Dictionary<int, int>();

    public IReadOnlyList<PrefixChange> Prefixes { get; init; } = [];

    public int DatabaseOf(int database) =>
        Databases.Count > 0 && Databases.TryGetValue(database, out var mapped) ? mapped : database;

    // Whether another database of the source comes to the same one of the target.
    public bool SharesDatabase(int database)
    {
        var mapped = DatabaseOf(database);
        return (mapped != database && !Databases.ContainsKey(mapped))
            || Databases.Any(pair => pair.Value == mapped && pair.Key != database);
    }

    public bool ChangesNames => Prefixes.Count > 0 || Databases.Count > 0 || Function is not null;

    // Whether several keys of the source may come to one of the target.
    public bool KeysMayMeet(TargetServer? source) =>
        Prefixes.Count > 0 || Function is not null
        || source?.Databases.Count(one => SharesDatabase(one.Database)) > 1;

    /// <summary>The first change whose prefix the key has decides.</summary>
    public bool TryRename(ReadOnlySpan<byte> key, out byte[] renamed)
    {
        foreach (var change in Prefixes)
        {
            if (key.StartsWith(change.From))
            {
                renamed = [.. change.To, .. key[change.From.Length..]];
                return true;
            }
        }

        renamed = [];
        return false;
    }
}
