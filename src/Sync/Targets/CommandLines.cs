using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Targets;

/// <summary>Writes commands one after the other, with a SELECT where the database is another.</summary>
internal sealed class CommandLines(Stream file, FileFormat format)
{
    private static readonly JsonSerializerOptions Readable = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    private readonly RespWriter _select = new();
    private readonly ArrayBufferWriter<byte> _line = new();
    private int _database;

    public long Length { get; private set; }

    public void Write(int database, ReadOnlySpan<byte> request, ReadOnlySpan<WordSpan> words)
    {
        if (format == FileFormat.Json)
        {
            Take(JsonOf(database, request, words));
            return;
        }

        if (database != _database)
        {
            _database = database;
            var number = database.ToString(CultureInfo.InvariantCulture);
            _select.Clear();
            _select.WriteRequest("SELECT", number);
            Take(format == FileFormat.Aof ? _select.Written : Encoding.ASCII.GetBytes($"SELECT {number}\n"));
        }

        Take(format == FileFormat.Aof ? request : LineOf(request, words));
    }

    private void Take(ReadOnlySpan<byte> bytes)
    {
        file.Write(bytes);
        Length += bytes.Length;
    }

    // What is no UTF-8 is an object with its base64.
    private static byte[] JsonOf(int database, ReadOnlySpan<byte> request, ReadOnlySpan<WordSpan> words)
    {
        var arguments = new JsonArray();
        foreach (var word in words)
            arguments.Add(TextOf(request.Slice(word.Start, word.Length)));
        var line = new JsonObject { ["db"] = database, ["argv"] = arguments };
        return Encoding.UTF8.GetBytes(line.ToJsonString(Readable) + "\n");
    }

    private static JsonNode TextOf(ReadOnlySpan<byte> word)
    {
        try
        {
            return JsonValue.Create(Strict.GetString(word));
        }
        catch (DecoderFallbackException)
        {
            return new JsonObject { ["base64"] = Convert.ToBase64String(word) };
        }
    }

    // Words in quotes where they need them, as redis-cli reads them (sdssplitargs).
    private ReadOnlySpan<byte> LineOf(ReadOnlySpan<byte> request, ReadOnlySpan<WordSpan> words)
    {
        _line.ResetWrittenCount();
        foreach (var place in words)
        {
            if (_line.WrittenCount > 0)
                _line.Write(" "u8);
            var word = request.Slice(place.Start, place.Length);
            if (!word.IsEmpty && !word.ContainsAnyExceptInRange((byte)'!', (byte)'~') && !word.ContainsAny("\"'\\"u8))
            {
                _line.Write(word);
                continue;
            }

            _line.Write("\""u8);
            foreach (var value in word)
                WriteQuoted(value);
            _line.Write("\""u8);
        }

        _line.Write("\n"u8);
        return _line.WrittenSpan;
    }

    private void WriteQuoted(byte value)
    {
        switch (value)
        {
            case (byte)'"' or (byte)'\\':
                _line.Write([(byte)'\\', value]);
                break;
            case (byte)'\n':
                _line.Write("\\n"u8);
                break;
            case (byte)'\r':
                _line.Write("\\r"u8);
                break;
            case >= (byte)' ' and <= (byte)'~':
                _line.Write([value]);
                break;
            default:
                Span<byte> digits = [(byte)'\\', (byte)'x', 0, 0];
                Utf8Formatter.TryFormat(value, digits[2..], out _, new('x', 2));
                _line.Write(digits);
                break;
        }
    }
}
