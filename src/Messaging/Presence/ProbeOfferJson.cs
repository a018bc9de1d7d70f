using System.Text.Json;
using System.Text.Json.Serialization;

namespace RedisLatency.Messaging.Presence;

/// <summary>Offers as they travel; what is none is read as none, and spoils nothing else of the hello.</summary>
internal sealed class ProbeOfferJson : JsonConverter<ProbeOffer?>
{
    private const string Key = "key";
    private const string Udp = "udp";
    private const string Redis = "redis";

    public override ProbeOffer? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        var element = document.RootElement;
        if (ForgivingText.Of(element, Key, ProbeOffer.LongestText) is not { } key)
            return null;
        return new ProbeOffer(key)
        {
            Udp = ForgivingText.Of(element, Udp, ProbeOffer.LongestText),
            Redis = element.TryGetProperty(Redis, out var redis) && redis.ValueKind == JsonValueKind.True,
        };
    }

    public override void Write(Utf8JsonWriter writer, ProbeOffer? value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        writer.WriteString(Key, value!.Key);
        if (value.Udp is not null)
            writer.WriteString(Udp, value.Udp);
        writer.WriteBoolean(Redis, value.Redis);
        writer.WriteEndObject();
    }
}
