namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Files that another tool writes: one that cannot be opened is found before the load.</summary>
internal sealed class OutputFiles : IDisposable
{
    private readonly Dictionary<string, FileStream> _opened = [];
    private readonly List<string> _failures = [];

    // What could not be written, and why; everything else was.
    public IReadOnlyList<string> Failures => _failures;

    // A problem for each that cannot be opened. What is in the others stays until they are written.
    public List<string> Open(IEnumerable<(string Option, string Path)> files)
    {
        var problems = new List<string>();
        foreach (var (option, path) in files)
        {
            var problem = Attempt(() => _opened.TryAdd(
                path, new FileStream(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite)));
            if (problem is not null)
                problems.Add($"{option} {path}: {problem}");
        }

        return problems;
    }

    // Whether it is written, and whole.
    public bool Write(string path, Action<Stream> write)
    {
        var problem = Attempt(() =>
        {
            using var file = _opened.Remove(path, out var opened) ? opened : File.Create(path);
            if (file is { CanSeek: true, Length: > 0 })
                file.SetLength(0);
            write(file);
        });
        if (problem is not null)
            _failures.Add($"{path} is not whole: {problem}");
        return problem is null;
    }

    public bool WriteText(string path, Action<TextWriter> write) => Write(path, file =>
    {
        using var text = new StreamWriter(file) { NewLine = "\n" };
        write(text);
    });

    public void Dispose()
    {
        foreach (var file in _opened.Values)
            file.Dispose();
    }

    private static string? Attempt(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return failure.Message;
        }
    }
}
