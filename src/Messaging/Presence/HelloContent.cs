using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Messaging.Presence;

/// <summary>The payload of a hello: who speaks.</summary>
/// <param name="Run">The run's name.</param>
/// <param name="Role"><c>producer</c> or <c>consumer</c>.</param>
/// <param name="Instance">Which process it is.</param>
/// <param name="Region">Where it stands; empty where nobody said.</param>
/// <param name="Version">The version of the suite.</param>
public sealed record HelloContent(string Run, string Role, string Instance, string Region, string Version)
{
    // A consumer keeps what a thousand streams have said of themselves.
    private const int Longest = 256;

    /// <summary>
    /// Which monotonic clock stamps its messages; null where it did not say, as older versions do not.
    /// </summary>
    [JsonConverter(typeof(ClockIdentityJson))]
    public ClockIdentity? Clock { get; init; }

    /// <summary>Whether that clock is a synthetic one, for a test; null where it is not, or did not say.</summary>
    public bool? IsSynthetic { get; init; }

    /// <summary>
    /// What its threads have waited for a processor since it began to serve; null where it did not say, as older
    /// versions, and where nobody counts it.
    /// </summary>
    [JsonConverter(typeof(ReportedWaitsJson))]
    public ReportedWaits? Waits { get; init; }

    /// <summary>By how many nanoseconds its clock goes on at a time; null where it did not say.</summary>
    public long? TickNs { get; init; }

    /// <summary>How it can be asked for the time; null where it cannot, as older versions, or did not say.</summary>
    [JsonConverter(typeof(ProbeOfferJson))]
    public ProbeOffer? Probe { get; init; }

    /// <summary>As it travels: JSON in UTF-8.</summary>
    public byte[] ToBytes() => JsonSerializer.SerializeToUtf8Bytes(this, HelloJson.Default.HelloContent);

    /// <summary>Reads what came.</summary>
    /// <returns>Null where it is no hello.</returns>
    public static HelloContent? Read(ReadOnlySpan<byte> payload)
    {
        try
        {
            var content = JsonSerializer.Deserialize(payload, HelloJson.Default.HelloContent);
            return content is
            {
                Run.Length: <= Longest, Role.Length: <= Longest, Instance.Length: <= Longest,
                Region.Length: <= Longest, Version.Length: <= Longest,
            }
                ? content
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

[JsonSerializable(typeof(HelloContent))]
[JsonSerializable(typeof(ClockIdentity))]
[JsonSerializable(typeof(ProbeOffer))]
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
internal sealed partial class HelloJson : JsonSerializerContext;

/// <summary>Parts of a hello as they travel; what is none is read as none, and spoils nothing else of it.</summary>
internal abstract class ForgivingJson<T> : JsonConverter<T?>
    where T : class
{
    public override T? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return document.RootElement is { ValueKind: JsonValueKind.Object } part ? Read(part) : null;
    }

    public override void Write(Utf8JsonWriter writer, T? value, JsonSerializerOptions options) =>
        JsonSerializer.Serialize(writer, value, typeof(T), HelloJson.Default);

    protected abstract T? Read(JsonElement part);

    /// <summary>A text of the part; null where there is none, or a longer one than makes sense.</summary>
    protected static string? Text(JsonElement part, string name, int longest) =>
        part.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
        && value.GetString() is { } text && text.Length <= longest
            ? text
            : null;
}

internal sealed class ClockIdentityJson : ForgivingJson<ClockIdentity>
{
    // A boot id has 36 characters, a namespace about 20, a host's name at most 253.
    private const int Longest = 256;

    protected override ClockIdentity? Read(JsonElement part) => Text(part, "host", Longest) is { } host
        ? new ClockIdentity(Text(part, "bootId", Longest), Text(part, "timeNamespace", Longest), host)
        : null;
}

internal sealed class ProbeOfferJson : ForgivingJson<ProbeOffer>
{
    private const int Longest = 300;

    protected override ProbeOffer? Read(JsonElement part) => Text(part, "key", Longest) is { } key
        ? new ProbeOffer(key)
        {
            Udp = Text(part, "udp", Longest),
            Redis = part.TryGetProperty("redis", out var redis) && redis.ValueKind == JsonValueKind.True,
        }
        : null;
}

/// <summary>
/// Waits as they travel: the excesses are pairs of nanoseconds and how many slots, one behind the other.
/// </summary>
internal sealed class ReportedWaitsJson : ForgivingJson<ReportedWaits>
{
    private const long Impossible = -1;

    public override void Write(Utf8JsonWriter writer, ReportedWaits? value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteNumber("elapsedNs", value!.ElapsedNs);
        writer.WriteNumber("slots", value.Slots);
        writer.WriteStartArray("excess");
        foreach (var (ns, count) in value.Excesses)
        {
            writer.WriteNumberValue(ns);
            writer.WriteNumberValue(count);
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    protected override ReportedWaits? Read(JsonElement part)
    {
        if (!part.TryGetProperty("excess", out var excess) || excess.ValueKind != JsonValueKind.Array)
            return null;
        List<long> numbers = [.. excess.EnumerateArray().Select(Number)];
        return ReportedWaits.Of(
            Number(part, "elapsedNs"),
            Number(part, "slots"),
            [.. numbers.Chunk(2).Select(pair => (pair[0], pair.Length == 2 ? pair[1] : Impossible))]);
    }

    private static long Number(JsonElement part, string name) =>
        part.TryGetProperty(name, out var value) ? Number(value) : Impossible;

    private static long Number(JsonElement value) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number) ? number : Impossible;
}
