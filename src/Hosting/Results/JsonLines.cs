using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace RedisLatency.Hosting.Results;

/// <summary>One JSON object a line, its first member <c>kind</c> saying what it is. One thread writes.</summary>
public sealed class JsonLines(LineFile file)
{
    // What is in it is easier to look for as it was written.
    private static readonly JsonWriterOptions Readable =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ArrayBufferWriter<byte> _line = new(1024);

    public void Write(string kind, Action<Utf8JsonWriter> members)
    {
        _line.ResetWrittenCount();
        using (var writer = new Utf8JsonWriter(_line, Readable))
        {
            writer.WriteStartObject();
            writer.WriteString("kind", kind);
            members(writer);
            writer.WriteEndObject();
        }

        _line.Write("\n"u8);
        file.Write(_line.WrittenSpan);
    }
}
