using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

/// <summary>JSON in a replicated key by which a writer tells its readers; never prints its clock's key.</summary>
internal sealed record Announcement
{
    private const int CurrentVersion = 5;
    private const int MostWriters = 65_536;
    private const double LongestIntervalNs = 3_600_000_000_000;

    public int Version { get; init; } = CurrentVersion;
    public required ulong Session { get; init; }
    public WriterKind Kind { get; init; }

    // Zero for heartbeats, which go on.
    public required long Keys { get; init; }
    public required double IntervalNs { get; init; }

    // By the writer's clock: when the first key is due, zero while the writer waits for a reader; and when the first
    // heartbeat would have been due that is none any more, zero while it goes on.
    public long StartNs { get; init; }
    public long EndNs { get; init; }
    public required long ExpiryNs { get; init; }
    public required string Source { get; init; }

    // By their ids; none where the source is a server alone.
    public IReadOnlyList<string> Nodes { get; init; } = [];

    // The n-th key and every so many-th after it is of the n-th shard, and of the n-th writer.
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }
    public required int Writers { get; init; }
    public string? Region { get; init; }
    public required ClockIdentity Clock { get; init; }
    public required string ProbeKey { get; init; }
    public string? Udp { get; init; }

    private bool IsCountable => Kind == WriterKind.Keys ? Keys is > 0 and <= KeyLedger.Most : Keys == 0;

    // More than a reader can hold is refused.
    private bool IsReadable => Version == CurrentVersion && IsCountable && IntervalNs is > 0 and <= LongestIntervalNs
        && Shards.Count > 0 && Shards.All(shard => shard is { HasSlots: true })
        && Writers is > 0 and <= MostWriters && Writers % Shards.Count == 0;

    public static string KeyOf(WriterKind kind, string prefix, string run) =>
        kind == WriterKind.Keys ? $"{prefix}:{run}:announced" : $"{prefix}:{run}:beating";

    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    public string Write() => JsonSerializer.Serialize(this, SidesJson.Default.Announcement);

    // Null where it is none.
    public static Announcement? Read(string? text)
    {
        try
        {
            return text is not null
                && JsonSerializer.Deserialize(text, SidesJson.Default.Announcement) is { IsReadable: true } read
                ? read
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    public override string ToString() =>
        $"{nameof(Announcement)} {{ Session = {Session:x16}, Keys = {Keys}, Source = {Source} }}";
}

/// <summary>Where a writer writes every so many-th key; with a tag in the prefix they all are of one slot.</summary>
internal sealed record AnnouncedShard(
    [property: JsonRequired] string Prefix, SharedSlots? Shared, [property: JsonRequired] string Source)
{
    public string? Slots => Shared?.Name;

    public int? Slot => Shared is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    public bool HasSlots => Shared is null || (Shared.Ranges.Count > 0
        && Shared.Ranges.All(range => range.First >= 0 && range.First <= range.Last && range.Last < KeySlot.Count));
}

/// <summary>What writers and readers tell each other. What a property computes is not written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    IgnoreReadOnlyProperties = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Announcement))]
[JsonSerializable(typeof(WritingEnd))]
internal sealed partial class SidesJson : JsonSerializerContext;
