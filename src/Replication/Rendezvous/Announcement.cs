using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>JSON in a replicated key by which readers find a writer; never prints its clock's key.</summary>
internal sealed record Announcement
{
    private const int CurrentVersion = 8;
    private const int MostWriters = 65_536;
    private const double LongestIntervalNs = 3_600_000_000_000;

    public int Version { get; init; } = CurrentVersion;
    public required ulong Session { get; init; }

    // Whether they are heartbeats: then there are zero keys, and it goes on.
    public bool IsContinuous { get; init; }
    public required long Keys { get; init; }
    public required double IntervalNs { get; init; }

    // By the writer's clock: when the first key is due, zero while the writer waits for a reader; and when the first
    // would have been due that is none any more, zero while it goes on.
    public long StartNs { get; init; }
    public long EndNs { get; init; }

    // What became of all keys at the source, when they are written.
    public WritingEnd? End { get; init; }
    public required long ExpiryNs { get; init; }
    public required string Source { get; init; }

    // By their ids; none where the source is a server alone.
    public IReadOnlyList<string> Nodes { get; init; } = [];

    // The n-th key and every so many-th after it is of the n-th shard, and of the n-th writer.
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }
    public required int Writers { get; init; }
    public string? Region { get; init; }
    public required ClockIdentity Clock { get; init; }

    // A clock put in the host's place for a test.
    public bool IsSynthetic { get; init; }
    public required string ProbeKey { get; init; }
    public string? Udp { get; init; }

    private bool IsCountable => IsContinuous ? Keys == 0 : Keys is > 0 and <= KeyLedger.Most;

    // More than a reader can hold is refused.
    private bool IsReadable => Version == CurrentVersion && IsCountable && IntervalNs is > 0 and <= LongestIntervalNs
        && Shards.Count > 0 && Shards.All(shard => shard is { HasSlots: true })
        && Writers is > 0 and <= MostWriters && Writers % Shards.Count == 0 && End?.IsOf(Writers) != false;

    public static string KeyOf(DelayPlan plan) =>
        $"{plan.Options.Prefix}:{plan.Run}:{(plan.IsContinuous ? "beating" : "announced")}";

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

/// <summary>What writers and readers report to each other. What a property computes is not written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    IgnoreReadOnlyProperties = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Announcement))]
internal sealed partial class SidesJson : JsonSerializerContext;
