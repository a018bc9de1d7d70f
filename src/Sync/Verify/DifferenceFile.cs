using System.Buffers;
using System.Text.Json;
using System.Text.Unicode;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// Differences as JSON, one a line. What is no text in UTF-8 stands in base 64, under a name that says so.
/// </summary>
internal sealed class DifferenceFile : IDisposable
{
    private readonly string _path;
    private readonly FileStream _file;
    private readonly ArrayBufferWriter<byte> _line = new(1024);

    /// <exception cref="ConfigurationException">It is there already, or cannot be made.</exception>
    public DifferenceFile(string path)
    {
        _path = path;
        try
        {
            // Names of keys are data: nobody else may read them.
            var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows())
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            _file = new FileStream(path, options);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            var why = File.Exists(path) ? "it is there already" : $"it cannot be made: {failure.Message}";
            throw new ConfigurationException($"--differences {path}: {why}");
        }
    }

    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public void Write(ComparedKey key, Difference difference)
    {
        _line.ResetWrittenCount();
        using (var writer = new Utf8JsonWriter(_line))
        {
            writer.WriteStartObject();
            writer.WriteString("kind", difference.Kind.ToString().ToLowerInvariant());
            writer.WriteNumber("database", key.Destination.Database);
            WriteBytes(writer, "key", key.Destination.Key);
            if (key.Origins is null && !key.Source.Equals(key.Destination))
            {
                writer.WriteNumber("sourceDatabase", key.Source.Database);
                WriteBytes(writer, "sourceKey", key.Source.Key);
            }

            writer.WriteString("type", key.Type);
            if (difference.Part.Length > 0)
                writer.WriteString("part", difference.Part);
            if (difference.Name is { } name)
                WriteBytes(writer, "name", name);
            if (difference.Source is { } source)
                writer.WriteString("source", source);
            if (difference.Destination is { } destination)
                writer.WriteString("destination", destination);
            writer.WriteEndObject();
        }

        _line.Write("\n"u8);
        Try(() => _file.Write(_line.WrittenSpan));
    }

    /// <exception cref="ResultsWriteException">It cannot be written.</exception>
    public void Flush() => Try(_file.Flush);

    public void Dispose() => _file.Dispose();

    private static void WriteBytes(Utf8JsonWriter writer, string name, byte[] bytes)
    {
        if (Utf8.IsValid(bytes))
            writer.WriteString(name, bytes);
        else
            writer.WriteBase64String($"{name}Base64", bytes);
    }

    private void Try(Action write)
    {
        try
        {
            write();
        }
        catch (IOException failure)
        {
            throw new ResultsWriteException($"--differences {_path}: {failure.Message}", failure);
        }
    }
}
