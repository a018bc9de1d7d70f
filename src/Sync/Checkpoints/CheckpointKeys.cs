using System.Text;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>The keys of a target under which checkpoints are: they are no data of anybody.</summary>
internal static class CheckpointKeys
{
    /// <summary>What all of them begin with; the one that has the position of each shard is only that.</summary>
    public const string Name = "redislatency:checkpoint";

    public static bool Has(ReadOnlySpan<byte> key) => key.StartsWith("redislatency:checkpoint"u8);

    /// <summary>The key of a slot of a cluster.</summary>
    public static string OfSlot(int slot) => $"{Name}:{{{SlotTags.Of(slot)}}}";

    /// <summary>The slot in which the first one is.</summary>
    public static int Slot { get; } = KeySlot.Of(Encoding.ASCII.GetBytes(Name));
}
