using System.Collections.Concurrent;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Lanes;

/// <summary>What all connections to one target keep to.</summary>
internal sealed record LaneRules
{
    public const string ThereAlready = "the key is at the target already";

    public required ResolvedTarget Target { get; init; }

    public required RdbFormat Format { get; init; }

    /// <summary>Whether times to live in RESTORE are absolute.</summary>
    public bool IsAbsolute { get; init; } = true;

    public required ServerClock Clock { get; init; }

    /// <summary>Who serves which slots, in a cluster or behind Sentinels; null for a single server.</summary>
    public SlotMapSource? Map { get; init; }

    public bool IsCluster { get; init; }

    public required CommandTable Table { get; init; }

    public required SessionEvents Events { get; init; }

    // Whether the target is told how far it is: then what it lost is known of.
    public bool KeepsCheckpoint { get; init; }

    // What was carried out too early is covered by marks: the checkpoint is not exact any more.
    public bool IsCheckpointBroken { get; set; }

    // Of the processes that answered at an address.
    public const string Several = "several";

    public const string StartedAgain = "was started again, or another server answers there: what it had acknowledged "
        + "and not saved is not there.";

    /// <summary>Says whose place another primary has taken; null where each has its own.</summary>
    public string? Replaced => (Map?.Changes ?? [])
        .Where(change => change.From is { } from
            && Map?.Current.Shards.All(shard => shard.Primary != from) == true)
        .Select(change =>
            $"At the target {change.To.Endpoint.Address} took the place of {change.From?.Endpoint.Address}: what that "
                + "one had acknowledged and not replicated is not there.").FirstOrDefault();

    // Which process answered at an address, by its run_id.
    public ConcurrentDictionary<string, string> Processes { get; init; } = new();

    public ExistingKeys OnExisting { get; init; }

    // What a value that is taken apart may hold in one text.
    public long BigValue { get; init; } = RdbReader.LongestText;

    // Whether all that the source has of a key is carried over.
    public bool ExpectsKeys { get; init; }

    // Instead of ending the run.
    public bool LeavesOutRefusedLibraries { get; init; }

    // A scan may come to a key twice, and nothing was there before it.
    public bool KeysComeTwice { get; init; }

    /// <summary>The most requests without a reply on one connection.</summary>
    public int MostInFlight { get; init; } = 1024;

    /// <summary>How long the target may be away, or turn a request away for now, before the run ends.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(30);

    public string NameOf(int command) => Table.All[command].Name;

    // One that is in the way was put there by the request itself, whose answer was lost.
    public bool IsOwnKey(in SentUnit unit) =>
        OnExisting == ExistingKeys.Panic && unit.Kind == UnitKind.Restore && (unit.WasSent || KeysComeTwice);

    public bool HasOneKey(in SentUnit unit) => unit.Kind == UnitKind.Restore
        || (unit.Kind == UnitKind.Command && Table.All[unit.Command].HasOneKey);

    public bool IsLibrary(in SentUnit unit) => unit.Kind == UnitKind.Command && Table.All[unit.Command].IsLibrary;

    public string NameOf(in SentUnit unit) => unit.Kind == UnitKind.Restore ? "RESTORE" : NameOf(unit.Command);
}
