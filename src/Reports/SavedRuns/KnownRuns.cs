namespace RedisLatency.Reports.SavedRuns;

/// <summary>Runs that are in an answer: each counts once, however often it is named or copied.</summary>
public sealed class KnownRuns
{
    private readonly HashSet<string> _identities = [];

    /// <summary>Whether it, or a part of it, is in the answer already, as a line says; null where it is not.</summary>
    public string? Add(SavedRun run)
    {
        var problem = run.Identities.Any(_identities.Contains)
            ? $"{run.Folder}: this run, or a copy of it, is in it already"
            : null;
        _identities.UnionWith(run.Identities);
        return problem;
    }
}
