using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Records;

/// <summary>Writes run records.</summary>
public static class RunRecordWriter
{
    /// <summary>Writes a record into a folder of results, in place of one that is there.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="record">The record.</param>
    /// <param name="secrets">Passwords and the like of this run: where a text contains one, *** is written.</param>
    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public static void Write(ResultsFolder folder, RunRecord record, IEnumerable<string> secrets) =>
        folder.WriteFile(ResultsFolder.RunRecordName, Serialize(record, secrets));

    /// <summary>The record as UTF-8 JSON, as <c>--format json</c> prints it.</summary>
    public static byte[] Serialize(RunRecord record, IEnumerable<string> secrets)
    {
        var options = new JsonSerializerOptions(RunRecordJson.Default.Options) { Encoder = JsonOutput.Encoder };
        options.Converters.Add(new SecretMask(secrets));
        return JsonSerializer.SerializeToUtf8Bytes(record, new RunRecordJson(options).RunRecord);
    }
}

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
