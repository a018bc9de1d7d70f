using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Messaging.Presence;

/// <summary>Clock identities as they travel; what is none is read as none, and spoils no more of the hello.</summary>
internal sealed class ClockIdentityJson : JsonConverter<ClockIdentity?>
{
    // A boot id has 36 characters, a namespace about 20, a host's name at most 253.
    private const int LongestText = 256;

    private const string BootId = "bootId";
    private const string TimeNamespace = "timeNamespace";
    private const string Host = "host";

    public override ClockIdentity? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        var element = document.RootElement;
        return ForgivingText.Of(element, Host, LongestText) is { } host
            ? new ClockIdentity(
                ForgivingText.Of(element, BootId, LongestText),
                ForgivingText.Of(element, TimeNamespace, LongestText),
                host)
            : null;
    }

    public override void Write(Utf8JsonWriter writer, ClockIdentity? value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        if (value!.BootId is not null)
            writer.WriteString(BootId, value.BootId);
        if (value.TimeNamespace is not null)
            writer.WriteString(TimeNamespace, value.TimeNamespace);
        writer.WriteString(Host, value.Host);
        writer.WriteEndObject();
    }
}
