using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Tool.Report;

/// <summary>The runs that a command line names: what is skipped is named, and the exit code says so.</summary>
internal static class SavedRunsOf
{
    /// <exception cref="ConfigurationException">None of them can be read.</exception>
    public static SavedRunSearch Read(IReadOnlyList<string> paths)
    {
        var search = new SavedRunSearch(paths);
        if (search.Runs.Count == 0)
            throw new ConfigurationException(string.Join("; ", search.Skipped));
        var diagnostics = new Diagnostics();
        foreach (var skipped in search.Skipped)
            diagnostics.WriteLine($"Skipped: {skipped}");
        return search;
    }

    /// <summary>
    /// The runs that ended, each once: those that were killed, and what is a run that is known already, are named.
    /// </summary>
    /// <param name="search">What was found.</param>
    /// <param name="known">The runs that are known; takes these.</param>
    /// <exception cref="ConfigurationException">None of them is left.</exception>
    public static (IReadOnlyList<SavedRun> Runs, int Code) Ended(SavedRunSearch search, KnownRuns known)
    {
        var (runs, diagnostics) = (new List<SavedRun>(), new Diagnostics());
        foreach (var run in search.Runs)
        {
            if (run.Record is null)
                diagnostics.WriteLine($"Skipped: {run.Folder}: the run was killed, or is still under way");
            else if (known.Add(run) is { } copy)
                diagnostics.WriteLine($"Skipped: {copy}");
            else
                runs.Add(run);
        }

        if (runs.Count == 0)
        {
            throw new ConfigurationException(
                $"{search.Runs[0].Folder}: no run that ended, and is not in it already, is there");
        }

        return (runs, runs.Count < search.Runs.Count ? ExitCode.NotValid : CodeOf(search));
    }

    /// <summary>Not valid where something of what was asked for is not in the answer.</summary>
    public static int CodeOf(SavedRunSearch search) =>
        search.Skipped.Count > 0 || search.Runs.Any(run => run.HasTornTail) ? ExitCode.NotValid : ExitCode.Valid;
}
