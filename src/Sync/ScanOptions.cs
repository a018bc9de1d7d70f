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
    public int MostChanged { get; set; } = 1_000_000;
}
