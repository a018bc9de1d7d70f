using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Peers.Rendezvous;

/// <summary>
/// An announcement as JSON. One without its names is refused; another part that cannot be read is none, and spoils
/// nothing else.
/// </summary>
public sealed class AnnouncementJson : JsonConverter<Announcement>
{
    // A boot id has 36 characters, a namespace about 20, a host's name at most 253, an address over UDP 300. A consumer
    // keeps what a thousand streams have announced.
    private const int Longest = 256;
    private const int LongestOffer = 300;

    private const long Impossible = -1;

    /// <inheritdoc/>
    public override Announcement Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return Read(document.RootElement);
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Announcement value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteString("run", value.Run);
        writer.WriteString("role", value.Role);
        writer.WriteString("instance", value.Instance);
        writer.WriteString("region", value.Region);
        writer.WriteString("version", value.Version);
        if (value.Clock is { } clock)
        {
            writer.WriteStartObject("clock");
            WriteText(writer, "bootId", clock.BootId);
            WriteText(writer, "timeNamespace", clock.TimeNamespace);
            WriteText(writer, "host", clock.Host);
            writer.WriteEndObject();
        }

        if (value.IsSynthetic is { } isSynthetic)
            writer.WriteBoolean("isSynthetic", isSynthetic);
        if (value.Waits is { } waits)
            Write(writer, waits);
        if (value.TickNs is { } tick)
            writer.WriteNumber("tickNs", tick);
        if (value.Probe is { } probe)
        {
            writer.WriteStartObject("probe");
            WriteText(writer, "key", probe.Key);
            WriteText(writer, "udp", probe.Udp);
            writer.WriteBoolean("redis", probe.Redis);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    }

    private static Announcement Read(JsonElement all) =>
        new(
            NameOf(all, "run"), NameOf(all, "role"), NameOf(all, "instance"), NameOf(all, "region"),
            NameOf(all, "version"))
        {
            Clock = ClockOf(Part(all, "clock")),
            IsSynthetic = Part(all, "isSynthetic") is { ValueKind: JsonValueKind.True } ? true : null,
            Waits = WaitsOf(Part(all, "waits")),
            TickNs = Number(Part(all, "tickNs")) is >= 0 and var tick ? tick : null,
            Probe = OfferOf(Part(all, "probe")),
        };

    // The excesses are pairs of nanoseconds and how many slots, one behind the other.
    private static void Write(Utf8JsonWriter writer, ReportedWaits waits)
    {
        writer.WriteStartObject("waits");
        writer.WriteNumber("elapsedNs", waits.ElapsedNs);
        writer.WriteNumber("slots", waits.Slots);
        writer.WriteStartArray("excess");
        foreach (var (ns, count) in waits.Excesses)
        {
            writer.WriteNumberValue(ns);
            writer.WriteNumberValue(count);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter writer, string name, string? text)
    {
        if (text is not null)
            writer.WriteString(name, text);
    }

    private static ReportedWaits? WaitsOf(JsonElement? part)
    {
        if (Part(part, "excess") is not { ValueKind: JsonValueKind.Array } excess)
            return null;
        List<long> numbers = [.. excess.EnumerateArray().Select(one => Number(one))];
        return ReportedWaits.Of(
            Number(Part(part, "elapsedNs")),
            Number(Part(part, "slots")),
            [.. numbers.Chunk(2).Select(pair => (pair[0], pair.Length == 2 ? pair[1] : Impossible))]);
    }

    private static ClockIdentity? ClockOf(JsonElement? part) => Text(part, "host", Longest) is { } host
        ? new ClockIdentity(Text(part, "bootId", Longest), Text(part, "timeNamespace", Longest), Plain(host, Longest))
        : null;

    private static ProbeOffer? OfferOf(JsonElement? part) => Text(part, "key", LongestOffer) is { } key
        ? new ProbeOffer(key)
        {
            Udp = Text(part, "udp", LongestOffer),
            Redis = Part(part, "redis") is { ValueKind: JsonValueKind.True },
        }
        : null;

    private static string NameOf(JsonElement all, string name) =>
        Text(all, name, Longest) is { } text ? Plain(text, RunNames.Longest) : throw new JsonException();

    // Anybody may have written it: neither a terminal nor the record's own separators take harm from it.
    private static string Plain(string name, int longest) =>
        string.Create(Math.Min(name.Length, longest), name, (plain, given) =>
        {
            for (var i = 0; i < plain.Length; i++)
                plain[i] = char.IsAsciiLetterOrDigit(given[i]) || given[i] is '-' or '_' or '.' ? given[i] : '_';
        });

    // Null where there is none, or a longer one than makes sense.
    private static string? Text(JsonElement? whole, string name, int longest) =>
        Part(whole, name) is { ValueKind: JsonValueKind.String } part && part.GetString() is { } text
        && text.Length <= longest
            ? text
            : null;

    private static long Number(JsonElement? part) =>
        part is { ValueKind: JsonValueKind.Number } number && number.TryGetInt64(out var value) ? value : Impossible;

    private static JsonElement? Part(JsonElement? whole, string name) =>
        whole is { ValueKind: JsonValueKind.Object } known && known.TryGetProperty(name, out var part) ? part : null;
}
