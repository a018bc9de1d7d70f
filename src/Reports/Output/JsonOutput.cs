using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace RedisLatency.Reports.Output;

/// <summary>Results as JSON, whose form a generated context gives.</summary>
public static class JsonOutput
{
    /// <summary>The output is no web page: µ and → stay readable.</summary>
    public static JavaScriptEncoder Encoder => JavaScriptEncoder.UnsafeRelaxedJsonEscaping;

    /// <summary>Writes a document whose type the context declares.</summary>
    public static void Write<T>(TextWriter writer, T document, JsonSerializerContext context)
    {
        var type = new JsonSerializerOptions(context.Options) { Encoder = Encoder }.GetTypeInfo(typeof(T));
        foreach (var line in JsonSerializer.Serialize(document, (JsonTypeInfo<T>)type).Split('\n'))
            writer.WriteLine(line);
    }
}

/// <summary>JSON has neither NaN nor infinity: there they are null.</summary>
public sealed class FiniteNumberConverter : JsonConverter<double>
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
