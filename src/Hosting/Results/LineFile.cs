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
