using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// A file of results that grows line by line, under its partial name until it is complete. What cannot be written is
/// kept in <see cref="Failure"/> and ends nothing. One thread writes.
/// </summary>
public sealed class LineFile : IDisposable
{
    private readonly ResultsFileStream? _file;

    internal LineFile(ResultsFolder? folder, string name)
    {
        try
        {
            _file = folder?.CreateFile(name);
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <summary>Why the file is not whole, or null.</summary>
    public ResultsWriteException? Failure { get; private set; }

    /// <summary>Writes whole lines, their ends included.</summary>
    public void Write(ReadOnlySpan<byte> lines)
    {
        if (_file is null || Failure is not null)
            return;
        try
        {
            _file.Write(lines);
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <summary>Gives the file its final name.</summary>
    public void Complete()
    {
        if (Failure is not null)
            return;
        try
        {
            _file?.Complete();
        }
        catch (ResultsWriteException failure)
        {
            Failure = failure;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file?.Dispose();
}

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
