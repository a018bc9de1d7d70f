namespace RedisLatency.Metrics.Results;

/// <summary>
/// A file of results while it is written: beside its final name, as <c>name.partial</c>, until
/// <see cref="Complete"/>. Every write goes to the kernel before it returns, so that what was written survives the
/// process, however it ends; bring whole lines. Its errors are <see cref="ResultsWriteException"/>.
/// </summary>
public sealed class ResultsFileStream : WriteOnlyStream
{
    /// <summary>What follows the name of a file that is not complete.</summary>
    public const string PartialSuffix = ".partial";

    private readonly FileStream _file;
    private readonly string _folder;
    private bool _completed;

    internal ResultsFileStream(FileStream file, string finalPath) =>
        (_file, FinalPath, _folder) = (file, finalPath, Path.GetDirectoryName(finalPath)!);

    /// <summary>Where the file lies once it is complete.</summary>
    public string FinalPath { get; }

    // Addresses, names and options stand in results: nobody else's business, wherever they are copied to.
    private static FileStreamOptions ForOwner
    {
        get
        {
            var options = new FileStreamOptions
            {
                Mode = FileMode.Create,
                Access = FileAccess.Write,
                Share = FileShare.Read,
                BufferSize = 0,
            };
            if (!OperatingSystem.IsWindows())
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            return options;
        }
    }

    internal static ResultsFileStream Create(string finalPath)
    {
        var partialPath = finalPath + PartialSuffix;
        try
        {
            // No buffer: what lay in one when the process was killed would be lost.
            return new ResultsFileStream(new FileStream(partialPath, ForOwner), finalPath);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ResultsWriteException(partialPath, exception);
        }
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            ExclusiveFolder.RequireWritable(_folder);
            _file.Write(buffer);
        }
        catch (Exception exception) when (IsUnwritable(exception))
        {
            throw new ResultsWriteException(_file.Name, exception);
        }
    }

    /// <summary>
    /// Brings the file to the disk and gives it its name, in place of one that had it. Without it, the file stays
    /// what it is: partial.
    /// </summary>
    public void Complete()
    {
        if (_completed)
            return;
        try
        {
            _file.Flush(flushToDisk: true);
            _file.Dispose();
            File.Move(_file.Name, FinalPath, overwrite: true);
            _completed = true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ResultsWriteException(FinalPath, exception);
        }
    }

    // The framework takes EFBIG, the limit of the file system or of the process, for a wrong argument.
    private static bool IsUnwritable(Exception exception) => exception is IOException or ArgumentOutOfRangeException;

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _file.Dispose();
        base.Dispose(disposing);
    }
}
