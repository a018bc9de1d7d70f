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
        foreach (var path in FoldersIn(paths, _skipped, _empty))
            Open(path);
    }

    /// <summary>The runs, in the order of the paths; those of one folder by name, so by their start.</summary>
    public IReadOnlyList<SavedRun> Runs => _runs;

    /// <summary>What is no run or cannot be read, with the reason, a line each.</summary>
    public IReadOnlyList<string> Skipped => _skipped;

    /// <summary>Of these, the folders that contain no run: nothing is wrong with them.</summary>
    public IReadOnlyList<string> Empty => _empty;

    /// <summary>
    /// The runs' folders one by one, none of them opened: each path, or those in it by name where it is no run itself.
    /// </summary>
    /// <param name="paths">What somebody names.</param>
    /// <param name="skipped">Takes what cannot be read or holds no run, a line each.</param>
    /// <param name="empty">Takes the latter, too.</param>
    public static IEnumerable<string> FoldersIn(
        IEnumerable<string> paths, ICollection<string> skipped, ICollection<string>? empty = null) =>
        paths.SelectMany(path =>
            !Directory.Exists(path) || SavedRun.IsIn(path) ? [path] : FoldersIn(path, skipped, empty));

    private static List<string> FoldersIn(string folder, ICollection<string> skipped, ICollection<string>? empty)
    {
        List<string> found = [];
        try
        {
            found = [.. Directory.EnumerateDirectories(folder).Where(SavedRun.IsIn).Order(StringComparer.Ordinal)];
            if (found.Count > 0)
                return found;
            var reason = $"{folder}: no run here; name a folder that a run left behind";
            skipped.Add(reason);
            empty?.Add(reason);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            skipped.Add($"{folder} cannot be read: {failure.Message}");
        }

        return found;
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
