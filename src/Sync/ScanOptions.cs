using RedisLatency.Sync.Scan;

namespace RedisLatency.Sync;

internal sealed class ScanOptions
{
    public int Count { get; set; } = 100;
    public IReadOnlyList<int> Databases { get; set; } = [];
    public IReadOnlyList<string> Types { get; set; } = [];
    public IReadOnlyList<string> SkippedTypes { get; set; } = [];
    public KeyUse? Use { get; set; }
    public bool PrefersReplica { get; set; }
    public bool Follows { get; set; }

    public bool ChoosesTypes => Types.Count + SkippedTypes.Count > 0;

    /// <summary>Whether a database is read; where none is chosen, all that have keys are.</summary>
    public bool Takes(int database) => Databases.Count == 0 || Databases.Contains(database);

    /// <summary>Whether keys of a type are, as TYPE names it.</summary>
    public bool Takes(string type) =>
        (Types.Count == 0 || Types.Contains(type, StringComparer.OrdinalIgnoreCase))
        && !SkippedTypes.Contains(type, StringComparer.OrdinalIgnoreCase);
}
