using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>
/// What a writer announces in a replicated key: itself, and when which keys are due. Never prints its clock's key.
/// </summary>
internal sealed record WriterAnnouncement
{
    private const int CurrentVersion = 9;
    private const int MostWriters = 65_536;
    private const int LongestSource = 300;
    private const double LongestIntervalNs = 3_600_000_000_000;

    public int Version { get; init; } = CurrentVersion;

    // With its clock, and how that can be asked.
    public required Announcement Writer { get; init; }
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
    public WriterReport? End { get; init; }
    public required long ExpiryNs { get; init; }
    public required string Source { get; init; }

    // By their ids; none where the source is a server alone.
    public IReadOnlyList<string> Nodes { get; init; } = [];

    // The n-th key and every so many-th after it is of the n-th shard, and of the n-th writer.
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }
    public required int Writers { get; init; }

    private bool CanBeAsked =>
        Writer is { Clock: not null, Probe: { } offer } && ProbeKey.Parse(offer.Key) is not null;

    private bool IsCountable => IsContinuous ? Keys == 0 : Keys is > 0 and <= KeyLedger.Most;

    // More than a reader can hold or print is refused.
    private bool IsReadable => Version == CurrentVersion && CanBeAsked && IsCountable
        && IntervalNs is > 0 and <= LongestIntervalNs && IsPlain(Source)
        && Shards.Count > 0 && Shards.All(shard => shard is { HasSlots: true } && IsPlain(shard.Source))
        && Writers is > 0 and <= MostWriters && Writers % Shards.Count == 0 && End?.IsOf(Writers) != false;

    public static string KeyOf(DelayPlan plan) =>
        $"{plan.Options.Prefix}:{plan.Run}:{(plan.IsContinuous ? "beating" : "announced")}";

    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    public string Write() => JsonSerializer.Serialize(this, SidesJson.Default.WriterAnnouncement);

    // Null where it is none.
    public static WriterAnnouncement? Read(string? text) =>
        Parse(text, SidesJson.Default.WriterAnnouncement) is { IsReadable: true } read ? read : null;

    // Of which version a writer is whose announcement has another form than this version's; null for none.
    public static string? ReadOtherVersion(string? text) =>
        Parse(text, SidesJson.Default.AnnouncedVersion) is { Version: not CurrentVersion } other
            ? other.Writer is { } writer ? $"version {writer.Version}" : "another version"
            : null;

    private static bool IsPlain(string text) => text.Length <= LongestSource && !text.Any(char.IsControl);

    private static T? Parse<T>(string? text, JsonTypeInfo<T> type)
        where T : class
    {
        try
        {
            return text is null ? null : JsonSerializer.Deserialize(text, type);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    public override string ToString() =>
        $"{nameof(WriterAnnouncement)} {{ Session = {Session:x16}, Keys = {Keys}, Source = {Source} }}";
}

/// <summary>As much of an announcement as every version has; before the ninth it has no writer.</summary>
internal sealed record AnnouncedVersion
{
    public required int Version { get; init; }

    public Announcement? Writer { get; init; }
}

/// <summary>What writers and readers report to each other. What a property computes is not written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    IgnoreReadOnlyProperties = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(WriterAnnouncement))]
[JsonSerializable(typeof(AnnouncedVersion))]
internal sealed partial class SidesJson : JsonSerializerContext;
