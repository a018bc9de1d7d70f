using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace RedisLatency.Hosting.Results;

/// <summary>One JSON object a line, its first member <c>kind</c> saying what it is. One thread writes.</summary>
/// <param name="file">Where to.</param>
public sealed class JsonLines(LineFile file)
{
    // What is in it is easier to look for as it was written.
    private static readonly JsonWriterOptions Readable =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ArrayBufferWriter<byte> _line = new(1024);

    /// <summary>Writes a line.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="members">Writes the other members.</param>
    public void Write(string kind, Action<Utf8JsonWriter> members)
    {
        ArgumentNullException.ThrowIfNull(members);
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
