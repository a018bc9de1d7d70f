using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Messaging.Presence;

/// <summary>The payload of a hello: who speaks.</summary>
/// <param name="Run">The run's name.</param>
/// <param name="Role"><c>producer</c> or <c>consumer</c>.</param>
/// <param name="Instance">Which process it is.</param>
/// <param name="Region">Where it stands; empty where nobody said.</param>
/// <param name="Version">The version of the suite.</param>
public sealed record HelloContent(string Run, string Role, string Instance, string Region, string Version)
{
    /// <summary>
    /// Which monotonic clock stamps its messages; null where it did not say, as older versions do not.
    /// </summary>
    [JsonConverter(typeof(ClockIdentityJson))]
    public ClockIdentity? Clock { get; init; }

    /// <summary>Whether that clock is a synthetic one, for a test; null where it is not, or did not say.</summary>
    public bool? IsSynthetic { get; init; }

    /// <summary>
    /// How it can be asked for the time; null where it cannot, as older versions, or did not say.
    /// </summary>
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
            return content is { Run: not null, Role: not null, Instance: not null, Region: not null, Version: not null }
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
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
internal sealed partial class HelloJson : JsonSerializerContext;
