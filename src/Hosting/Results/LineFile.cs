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
