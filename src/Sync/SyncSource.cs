using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync;

/// <summary>Where a synchronisation reads.</summary>
/// <param name="Name">As results have it.</param>
/// <param name="Server">The server, or one of the cluster; null where files are read.</param>
/// <param name="Readers">One for each shard.</param>
/// <param name="Owner">What the readers share, to be closed behind them.</param>
internal sealed record SyncSource(
    string Name, TargetServer? Server, IReadOnlyList<ISyncReader> Readers, IDisposable? Owner = null) : IDisposable
{
    /// <summary>Whether it is read until the run is stopped.</summary>
    public bool HasNoEnd { get; init; }

    /// <summary>Which slots each reader's server had at the beginning; empty where it is no cluster.</summary>
    public string SlotRanges { get; init; } = string.Empty;

    /// <summary>Says that slots are not where they were, or are on the move; null where they are.</summary>
    public Func<string?> FindMovedSlots { get; init; } = () => null;

    /// <summary>Asks at the end why what was read is not all, and whether that is certain; null where it is.</summary>
    public Func<(string Text, bool IsCertain)?> FindProblem { get; init; } = () => null;

    public void Dispose() => Owner?.Dispose();

    public IReadOnlyList<string> Notes { get; init; } = [];
}
