using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

/// <summary>Where a writer writes every so many-th of its keys, and what they begin with.</summary>
/// <param name="Prefix">What they begin with; with a tag in it they all are of one slot.</param>
/// <param name="Shared">Which slots it stands for; null where it has no tag.</param>
/// <param name="Source">Who had that slot when the writer began, for people.</param>
internal sealed record AnnouncedShard(string Prefix, SharedSlots? Shared, string Source)
{
    private const char Separator = ' ';

    /// <summary>Which slots it stands for, for people; null where it has no tag.</summary>
    public string? Slots => Shared?.Name;

    /// <summary>The slot of its keys; null where they are of many.</summary>
    public int? Slot => Shared is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    /// <summary>As a part of the announcement.</summary>
    public JsonNode Write() => new JsonObject
    {
        ["prefix"] = Prefix,
        ["slots"] = Shared is null ? null : string.Join(Separator, Shared.Ranges),
        ["source"] = Source,
    };

    /// <summary>Reads one.</summary>
    /// <exception cref="FormatException">Its slots are none.</exception>
    public static AnnouncedShard Read(JsonNode? told) => new(
        told!["prefix"]!.GetValue<string>(),
        told["slots"]?.GetValue<string>() is { } slots ? new SharedSlots(SlotSharing.Ranges(slots, Separator)) : null,
        told["source"]!.GetValue<string>());
}
