using System.Text.Json;
using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>
/// The last line of defence: writes *** where a text, or the name of a fact, holds a secret, plainly or as it stands
/// in a URI.
/// </summary>
internal sealed class SecretMask(IEnumerable<string> secrets) : JsonConverter<string>
{
    private const string Mask = "***";

    // The longest first: of two secrets one may contain the other.
    private readonly string[] _secrets = [.. secrets
        .Where(secret => secret.Length > 0)
        .SelectMany(secret => new[] { secret, Uri.EscapeDataString(secret) })
        .Distinct()
        .OrderByDescending(secret => secret.Length)];

    public string Apply(string text)
    {
        foreach (var secret in _secrets)
            text = text.Replace(secret, Mask, StringComparison.Ordinal);
        return text;
    }

    public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.GetString();

    public override string ReadAsPropertyName(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetString()!;

    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
        writer.WriteStringValue(Apply(value));

    public override void WriteAsPropertyName(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
        writer.WritePropertyName(Apply(value));
}
