namespace RedisLatency.Sync.Scan;

/// <summary>What a scan takes of a source.</summary>
internal sealed record ScanPlan
{
    /// <summary>How many keys SCAN is asked for at once.</summary>
    public int Count { get; init; } = 100;

    /// <summary>Which databases; none for all that have keys.</summary>
    public IReadOnlyList<int> Databases { get; init; } = [];

    /// <summary>Only these types, as TYPE names them; none for all.</summary>
    public IReadOnlyList<string> Types { get; init; } = [];

    public IReadOnlyList<string> SkippedTypes { get; init; } = [];

    public KeyUse Use { get; init; } = KeyUse.Idle;

    /// <summary>Whether it goes on with what changes.</summary>
    public bool Follows { get; init; }

    public int MostChanged { get; init; }

    public bool ChoosesTypes => Types.Count + SkippedTypes.Count > 0;

    public bool Takes(int database) => Databases.Count == 0 || Databases.Contains(database);

    public bool Takes(string type) =>
        (Types.Count == 0 || Types.Contains(type, StringComparer.OrdinalIgnoreCase))
        && !SkippedTypes.Contains(type, StringComparer.OrdinalIgnoreCase);
}
