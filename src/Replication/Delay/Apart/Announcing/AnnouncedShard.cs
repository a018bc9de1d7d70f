using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Redis.Cluster;

namespace RedisLatency.Replication.Delay.Apart.Announcing;

/// <summary>Where a writer writes every so many-th of its keys, and what they begin with.</summary>
/// <param name="Prefix">What they begin with; with a tag in it they all are of one slot.</param>
/// <param name="Slots">Which slots it stands for, for people; null where it has no tag.</param>
/// <param name="Source">Who had that slot when the writer began, for people.</param>
internal sealed record AnnouncedShard(string Prefix, string? Slots, string Source)
{
    /// <summary>The slot of its keys; null where they are of many.</summary>
    public int? Slot => Slots is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    /// <summary>As a part of the announcement.</summary>
    public JsonNode Write() => new JsonObject { ["prefix"] = Prefix, ["slots"] = Slots, ["source"] = Source };

    /// <summary>Reads one.</summary>
    public static AnnouncedShard Read(JsonNode? told) => new(
        told!["prefix"]!.GetValue<string>(), told["slots"]?.GetValue<string>(), told["source"]!.GetValue<string>());
}
