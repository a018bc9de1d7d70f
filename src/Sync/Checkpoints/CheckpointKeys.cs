using System.Globalization;
using System.Text;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Checkpoints;

/// <summary>
/// The keys of a target under which checkpoints are, each a hash: they are no data of anybody. Fields begin with what
/// the source's shard is called.
/// </summary>
internal static class CheckpointKeys
{
    /// <summary>What all of them begin with; the one that says who is at work is only that.</summary>
    public const string Name = "redislatency:checkpoint";

    /// <summary>The slot in which the first one is.</summary>
    public static int Slot { get; } = KeySlot.Of(Encoding.ASCII.GetBytes(Name));

    public static bool Has(ReadOnlySpan<byte> key) => key.StartsWith("redislatency:checkpoint"u8);

    /// <summary>The key of a slot of a cluster.</summary>
    public static string OfSlot(int slot) => $"{Name}:{{{SlotTags.Of(slot)}}}";

    /// <summary>The field of a shard's head.</summary>
    /// <param name="source">The source, as results name it.</param>
    /// <param name="shard">The first of its slots.</param>
    public static string FieldOf(string source, int shard) =>
        shard == 0 ? source : string.Create(CultureInfo.InvariantCulture, $"{source}#{shard}");

    /// <summary>The field of a mark.</summary>
    public static string MarkOf(string name, int group) => string.Create(
        CultureInfo.InvariantCulture, $"{name}/{(group == ShardCheckpoint.AllGroups ? "all" : group)}");

    /// <summary>The field that says which run is at work, and each second something else.</summary>
    public static string BeatOf(string name) => $"{name}/beat";

    /// <summary>The field that names the generation that is not exact any more.</summary>
    public static string BrokenOf(string name) => $"{name}/broken";
}
