using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Shards;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// What a writer tells its reader of the keys to come, as JSON in a key that is replicated like them. It never prints
/// the key to ask with.
/// </summary>
internal sealed record Announcement
{
    private const int Version = 4;
    private const int MostWriters = 65_536;
    private const double LongestIntervalNs = 3_600_000_000_000;

    public required ulong Session { get; init; }
    public WriterKind Kind { get; init; }
    public required long Keys { get; init; }
    public required double IntervalNs { get; init; }
    public long StartNs { get; init; }
    public long EndNs { get; init; }
    public required long ExpiryNs { get; init; }
    public required string Source { get; init; }
    public IReadOnlyList<string> Nodes { get; init; } = [];

    // Where keys are written in turn: the n-th key and every so many-th after it is of the n-th of them.
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }
    public required int Writers { get; init; }
    public bool IsPublished { get; init; }
    public string? Region { get; init; }
    public required ClockIdentity Clock { get; init; }
    public required string ProbeKey { get; init; }
    public string? Udp { get; init; }

    public static string KeyOf(WriterKind kind, string prefix, string run) =>
        kind == WriterKind.Keys ? $"{prefix}:{run}:announced" : $"{prefix}:{run}:beating";

    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    public string Write() => new JsonObject
    {
        ["version"] = Version,
        ["session"] = Session.ToString("x16", CultureInfo.InvariantCulture),
        ["kind"] = Kind.ToString(),
        ["keys"] = Keys,
        ["intervalNs"] = IntervalNs,
        ["startNs"] = StartNs,
        ["endNs"] = EndNs,
        ["expiryNs"] = ExpiryNs,
        ["source"] = Source,
        ["nodes"] = new JsonArray([.. Nodes.Select(node => JsonValue.Create(node))]),
        ["shards"] = new JsonArray([.. Shards.Select(shard => shard.Write())]),
        ["writers"] = Writers,
        ["published"] = IsPublished,
        ["region"] = Region,
        ["bootId"] = Clock.BootId,
        ["timeNamespace"] = Clock.TimeNamespace,
        ["host"] = Clock.Host,
        ["probeKey"] = ProbeKey,
        ["udp"] = Udp,
    }.ToJsonString();

    public static Announcement? Read(string? text)
    {
        try
        {
            if (text is null || JsonNode.Parse(text) is not JsonObject told || told["version"]?.GetValue<int>() != Version)
                return null;
            var announced = new Announcement
            {
                Session = ulong.Parse(told["session"]!.GetValue<string>(), NumberStyles.HexNumber, CultureInfo.InvariantCulture),
                Kind = Enum.Parse<WriterKind>(told["kind"]!.GetValue<string>()),
                Keys = told["keys"]!.GetValue<long>(),
                IntervalNs = told["intervalNs"]!.GetValue<double>(),
                StartNs = told["startNs"]!.GetValue<long>(),
                EndNs = told["endNs"]!.GetValue<long>(),
                ExpiryNs = told["expiryNs"]!.GetValue<long>(),
                Source = told["source"]!.GetValue<string>(),
                Nodes = [.. told["nodes"]!.AsArray().Select(node => node!.GetValue<string>())],
                Shards = [.. told["shards"]!.AsArray().Select(AnnouncedShard.Read)],
                Writers = told["writers"]!.GetValue<int>(),
                IsPublished = told["published"]!.GetValue<bool>(),
                Region = told["region"]?.GetValue<string>(),
                Clock = new ClockIdentity(
                    told["bootId"]?.GetValue<string>(), told["timeNamespace"]?.GetValue<string>(),
                    told["host"]!.GetValue<string>()),
                ProbeKey = told["probeKey"]!.GetValue<string>(),
                Udp = told["udp"]?.GetValue<string>(),
            };
            var isCountable = announced.Kind == WriterKind.Keys ? announced.Keys is > 0 and <= KeyLedger.Most : announced.Keys == 0;
            return isCountable && announced.IntervalNs is > 0 and <= LongestIntervalNs
                && announced.Shards.Count > 0 && announced.Writers is > 0 and <= MostWriters
                && announced.Writers % announced.Shards.Count == 0
                    ? announced
                    : null;
        }
        catch (Exception wrong) when (wrong is JsonException or FormatException or InvalidOperationException
            or OverflowException or NullReferenceException or ArgumentException)
        {
            return null;
        }
    }

    public override string ToString() => $"{nameof(Announcement)} {{ Session = {Session:x16}, Keys = {Keys}, Source = {Source} }}";
}

internal sealed record AnnouncedShard(string Prefix, SharedSlots? Shared, string Source)
{
    private const char Separator = ' ';

    public string? Slots => Shared?.Name;

    public int? Slot => Shared is null ? null : KeySlot.Of(Encoding.ASCII.GetBytes(Prefix));

    public JsonNode Write() => new JsonObject
    {
        ["prefix"] = Prefix,
        ["slots"] = Shared is null ? null : string.Join(Separator, Shared.Ranges),
        ["source"] = Source,
    };

    public static AnnouncedShard Read(JsonNode? told) => new(
        told!["prefix"]!.GetValue<string>(),
        told["slots"]?.GetValue<string>() is { } slots ? new SharedSlots(SlotSharing.Ranges(slots, Separator)) : null,
        told["source"]!.GetValue<string>());
}
