using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// A file of results that grows line by line, under its partial name until it is complete. That it cannot be written
/// is told once, at once, and ends nothing. One thread writes.
/// </summary>
public class LineFile : WriteOnlyStream
{
    private readonly Action<ResultsWriteException>? _failed;
    private readonly string _name;
    private ResultsFileStream? _file;

    internal LineFile(ResultsFolder? folder, string name, Action<ResultsWriteException>? failed)
    {
        (_name, _failed) = (name, failed);
        Open(folder);
    }

    protected bool IsOpen => _file is not null;

    public override void Write(ReadOnlySpan<byte> buffer)
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

    // What is written from now on goes to a new file; the one before is complete.
    internal virtual void MoveTo(ResultsFolder? folder, DateTimeOffset start)
    {
        _file?.Dispose();
        _file = null;
        Open(folder);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _file?.Dispose();
        base.Dispose(disposing);
    }

    private void Open(ResultsFolder? folder)
    {
        try
        {
            _file = folder?.CreateFile(_name);
        }
        catch (ResultsWriteException failure)
        {
            Fail(failure);
        }
    }

    private void Fail(ResultsWriteException failure)
    {
        _file?.Dispose();
        _file = null;
        _failed?.Invoke(failure);
    }
}
