using System.Text;
using System.Text.Json.Serialization;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>Where a writer writes every so many-th key; with a tag in the prefix they all are of one slot.</summary>
internal sealed record AnnouncedShard(
    [property: JsonRequired] string Prefix, SharedSlots? Shared, [property: JsonRequired] string Source)
{
    public string? Slots => Shared?.Name;

    public int? Slot => Shared is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    public bool HasSlots => Shared is null || (Shared.Ranges.Count > 0
        && Shared.Ranges.All(range => range.First >= 0 && range.First <= range.Last && range.Last < KeySlot.Count));
}
