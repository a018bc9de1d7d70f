using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Replication.Probe;

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

    /// <summary>The session that keys' names and values carry.</summary>
    public required ulong Session { get; init; }

    /// <summary>What is written.</summary>
    public WriterKind Kind { get; init; }

    /// <summary>How many keys there will be; zero for heartbeats, which go on for good.</summary>
    public required long Keys { get; init; }

    /// <summary>From one key to the next, in nanoseconds.</summary>
    public required double IntervalNs { get; init; }

    /// <summary>When the first one is due, by the writer's clock; zero while the writer waits for a reader.</summary>
    public long StartNs { get; init; }

    /// <summary>When the first heartbeat would have been due that is none any more; zero while it goes on.</summary>
    public long EndNs { get; init; }

    /// <summary>How long what is written lives, in nanoseconds.</summary>
    public required long ExpiryNs { get; init; }

    /// <summary>What the writer writes to.</summary>
    public required string Source { get; init; }

    /// <summary>The nodes of the cluster that it is, by their ids; none where it is a server alone.</summary>
    public IReadOnlyList<string> Nodes { get; init; } = [];

    /// <summary>
    /// Where keys are written in turn: the n-th key and every so many-th after it is of the n-th of them.
    /// </summary>
    public required IReadOnlyList<AnnouncedShard> Shards { get; init; }

    /// <summary>How many connections write, in turn too; a multiple of the shards.</summary>
    public required int Writers { get; init; }

    /// <summary>Whether messages are published in place of keys.</summary>
    public bool IsPublished { get; init; }

    /// <summary>The region that the writer is in; null where it was not said.</summary>
    public string? Region { get; init; }

    /// <summary>Which clock it reads.</summary>
    public required ClockIdentity Clock { get; init; }

    /// <summary>What to ask for its time with, as base64.</summary>
    public required string ProbeKey { get; init; }

    /// <summary>Where it can be asked over UDP; null where it cannot.</summary>
    public string? Udp { get; init; }

    /// <summary>The name of its own key.</summary>
    public static string KeyOf(WriterKind kind, string prefix, string run) =>
        kind == WriterKind.Keys ? $"{prefix}:{run}:announced" : $"{prefix}:{run}:beating";

    /// <summary>When a key is due, by the writer's clock.</summary>
    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    /// <summary>As the value of its key.</summary>
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

    /// <summary>Reads one.</summary>
    /// <returns>Null where it is none, or asks for more than a reader can hold.</returns>
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

    /// <summary>Everything but the key to ask with.</summary>
    public override string ToString() => $"{nameof(Announcement)} {{ Session = {Session:x16}, Keys = {Keys}, Source = {Source} }}";
}
