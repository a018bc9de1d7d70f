namespace RedisLatency.Reports.SavedRuns;

/// <summary>The saved runs that somebody names, by their folders or by a folder of such folders.</summary>
public sealed class SavedRunSearch
{
    private readonly List<SavedRun> _runs = [];
    private readonly List<string> _skipped = [];
    private readonly List<string> _empty = [];

    /// <summary>Looks at each path, and at the folders in it where it is no run itself.</summary>
    public SavedRunSearch(IEnumerable<string> paths)
    {
        foreach (var path in paths)
        {
            if (!Directory.Exists(path) || SavedRun.IsIn(path))
                Open(path);
            else
                OpenAllIn(path);
        }
    }

    /// <summary>The runs, in the order of the paths; those of one folder by name, so by their start.</summary>
    public IReadOnlyList<SavedRun> Runs => _runs;

    /// <summary>What is no run or cannot be read, with the reason, a line each.</summary>
    public IReadOnlyList<string> Skipped => _skipped;

    /// <summary>Of these, the folders that contain no run: nothing is wrong with them.</summary>
    public IReadOnlyList<string> Empty => _empty;

    private void OpenAllIn(string folder)
    {
        var before = _runs.Count + _skipped.Count;
        try
        {
            foreach (var inner in Directory.EnumerateDirectories(folder).Order(StringComparer.Ordinal))
            {
                if (SavedRun.IsIn(inner))
                    Open(inner);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            _skipped.Add($"{folder} cannot be read: {failure.Message}");
        }

        if (_runs.Count + _skipped.Count > before)
            return;
        _empty.Add($"{folder}: no run here; name a folder that a run left behind");
        _skipped.Add(_empty[^1]);
    }

    private void Open(string path)
    {
        try
        {
            _runs.Add(SavedRun.Open(path));
        }
        catch (SavedRunException failure)
        {
            _skipped.Add(failure.Message);
        }
    }
}
