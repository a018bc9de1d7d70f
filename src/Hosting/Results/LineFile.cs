using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using RedisLatency.Hosting.Options;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// A file of results that grows line by line, under its partial name until it is complete. That it cannot be written
/// is told once, at once, and ends nothing. One thread writes.
/// </summary>
public class LineFile : WriteOnlyStream
{
    private readonly Action<ResultsWriteException>? _failed;
    private ResultsFileStream? _file;

    internal LineFile(ResultsFolder? folder, string name, Action<ResultsWriteException>? failed)
    {
        _failed = failed;
        try
        {
            _file = folder?.CreateFile(name);
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    protected bool IsOpen => _file is not null;

    public sealed override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            _file?.Write(buffer);
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    public void Complete()
    {
        try
        {
            _file?.Complete();
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _file?.Dispose();
        base.Dispose(disposing);
    }

    private void Fail(ResultsWriteException failure)
    {
        _file?.Dispose();
        _file = null;
        _failed?.Invoke(failure);
    }
}

/// <summary>
/// The run's interval log, where there is a folder for it: that it cannot be written does not end the measurement.
/// </summary>
public sealed class IntervalLogFile : LineFile
{
    private readonly IntervalLogWriter? _writer;
    private readonly Lock _gate = new();

    public IntervalLogFile(
        ResultsFolder? folder, DateTimeOffset start, Action<ResultsWriteException>? failed = null)
        : base(folder, ResultsFolder.IntervalLogName, failed) =>
        _writer = IsOpen ? new IntervalLogWriter(this, start, $"RedisLatency {ProgramVersion.Text}") : null;

    /// <summary>Writes an interval. Any thread may, one after the other.</summary>
    public void Write(string tag, DateTimeOffset start, TimeSpan length, LatencyHistogram histogram)
    {
        if (!IsOpen)
            return;
        lock (_gate)
            _writer?.Write(tag, start, length, histogram);
    }
}

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
