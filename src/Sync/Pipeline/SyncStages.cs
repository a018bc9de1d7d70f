using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Sync.Pipeline;

/// <summary>Tells what the source of each shard does, whenever that changes: an entry may take minutes.</summary>
internal sealed class SyncStages(IReadOnlyList<SyncShard> shards, ILogger logger)
{
    private readonly string[] _told = [.. shards.Select(_ => string.Empty)];
    private readonly SessionEvents _stages = new();

    /// <summary>What was told, for the record.</summary>
    public IReadOnlyList<RunEvent> ToRecord() => _stages.ToRecord();

    public void Report()
    {
        var changed = shards.Select((shard, place) => (shard.Reader.Name, shard.Reader.Progress.Phase, Place: place))
            .Where(shard => shard.Phase != _told[shard.Place])
            .ToLookup(shard => (shard.Phase, Before: _told[shard.Place]));
        foreach (var same in changed)
        {
            var (phase, before) = same.Key;
            foreach (var shard in same)
                _told[shard.Place] = phase;
            var name = same.First().Name;
            var others = same.Count() - 1;
            if (others > 0)
                name += $" and {Quantity.Count(others)} more";
            if (Text(phase, before) is not { } text)
                continue;
            SyncLog.Stage(logger, name, text);
            _stages.Note(RunEvent.Stage, shards.Count > 1 ? $"{name}: {text}" : text);
        }
    }

    private static string? Text(string phase, string before) => (phase, before) switch
    {
        ("hand shaking", _) => "connecting",
        ("waiting bgsave", _) => "connected; the source prepares its data set",
        ("syncing rdb", _) => "the data set is read",
        ("syncing aof", "syncing rdb" or "waiting bgsave") => "the data set is complete; following what is written",
        ("syncing aof", _) => "following what is written",
        ("scanning", _) => "scanning keys",
        _ => null,
    };
}
