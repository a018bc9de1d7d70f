using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Records;
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

    /// <summary>The records of the runs; those that were killed have none, and are named.</summary>
    /// <exception cref="ConfigurationException">None of them has one.</exception>
    public static (IReadOnlyList<RunRecord> Records, int Code) Records(SavedRunSearch search)
    {
        var killed = search.Runs.Where(run => run.Record is null).ToList();
        var diagnostics = new Diagnostics();
        foreach (var run in killed)
            diagnostics.WriteLine($"Skipped: {run.Folder}: the run was killed, or is still under way");
        if (killed.Count == search.Runs.Count)
            throw new ConfigurationException($"{search.Runs[0].Folder}: no run that ended is there");
        return (
            [.. search.Runs.Select(run => run.Record).OfType<RunRecord>()],
            killed.Count > 0 ? ExitCode.NotValid : CodeOf(search));
    }

    /// <summary>Not valid where something of what was asked for is not in the answer.</summary>
    public static int CodeOf(SavedRunSearch search) =>
        search.Skipped.Count > 0 || search.Runs.Any(run => run.HasTornTail) ? ExitCode.NotValid : ExitCode.Valid;
}
