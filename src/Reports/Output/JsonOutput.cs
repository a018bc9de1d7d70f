using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Output;

/// <summary>Results as JSON: camel case, indented, and null where a number is none (NaN, infinity).</summary>
public static class JsonOutput
{
    public static JsonSerializerOptions Options { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        // The output is no web page: µ and → stay readable.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new FiniteNumberConverter(), new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    public static void Write<T>(TextWriter writer, T document)
    {
        foreach (var line in JsonSerializer.Serialize(document, Options).Split('\n'))
            writer.WriteLine(line);
    }
}

/// <summary>JSON has neither NaN nor infinity: there they are null.</summary>
internal sealed class FiniteNumberConverter : JsonConverter<double>
{
    public override bool HandleNull => true;

    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble();

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
    {
        if (double.IsFinite(value))
            writer.WriteNumberValue(value);
        else
            writer.WriteNullValue();
    }
}
