using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Targets;

namespace RedisLatency.Sync.Pipeline;

// How a synchronisation stands, as the page of RedisShake's status_port has it, with lag_ms and applied_offset beside.
internal sealed class SyncStatus(
    SyncPipeline pipeline, ISyncWriter writer, CommandTable table, bool isSourceCluster, bool expectsKeys,
    DateTimeOffset start)
{
    private const string Bytes = "_bytes";

    private readonly Lock _gate = new();
    private readonly string _start = start.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
    private Dictionary<string, EntryCounts> _before = [];
    private Dictionary<string, (double Read, double Written)> _rates = [];
    private long _takenNs;

    // Ends an interval, over which rates are taken.
    public void Tick()
    {
        var now = MonotonicClock.NowNs();
        var counts = Counts();
        lock (_gate)
        {
            var seconds = (now - _takenNs) / 1e9;
            _rates = counts.ToDictionary(pair => pair.Key, pair =>
            {
                var before = _before.GetValueOrDefault(pair.Key);
                return _takenNs == 0 || seconds <= 0
                    ? (0, 0)
                    : ((pair.Value.Read - before.Read) / seconds, (pair.Value.Written - before.Written) / seconds);
            });
            (_before, _takenNs) = (counts, now);
        }
    }

    // Why the target may not be what the source is if the run ended now, as far as that is known by now.
    public string? Missing() =>
        pipeline.Shards.Select(shard => shard.Reader.Missing ?? KnownOf(shard.Counts, expectsKeys))
            .FirstOrDefault(one => one is not null) is { } one
            ? $"If it ended now: {one}" : writer.Lost;

    private static string? KnownOf(SyncCounts counts, bool expectsKeys) => counts.Faults is [var fault, ..] ? fault
        : expectsKeys && counts.Missed > 0 ? SyncRecord.MissedIn([counts], expectsKeys)
        : null;

    // Whether anything that was received waits for the target.
    public bool HasWork => LagNs(MonotonicClock.NowNs()) > 0;

    // Null until every reader has begun: who waits for the page and then writes to the source finds that here.
    public string? Write()
    {
        if (!pipeline.Shards.All(shard => shard.Reader.HasBegun))
            return null;
        var now = MonotonicClock.NowNs();
        var (counts, isConsistent) = Snapshot();
        JsonObject perCommand = [];
        foreach (var (name, one) in counts.Where(pair => pair.Key.Length > 0))
            perCommand[name] = Entries(name, one);
        var page = new JsonObject
        {
            ["start_time"] = _start,
            ["consistent"] = isConsistent,
            ["lag_ms"] = Math.Round(LagNs(now) / 1e6, 3),
            ["total_entries_count"] = Entries(string.Empty, counts[string.Empty]),
            ["per_cmd_entries_count"] = perCommand,
            ["reader"] = OneOrAll([.. pipeline.Shards.Select(ReaderOf)], isSourceCluster),
            ["writer"] = OneOrAll([.. writer.Places.Select(place => Written(place.Fields))], writer.IsCluster),
        };
        return page.ToJsonString(new JsonSerializerOptions { WriteIndented = true });
    }

    // The counts go on while they are added up: what is consistent was so, and stood still, through two looks.
    private (Dictionary<string, EntryCounts> Counts, bool IsConsistent) Snapshot()
    {
        var before = Counts();
        var isConsistent = IsConsistent();
        var counts = Counts();
        return (counts, isConsistent && before.Count == counts.Count && !before.Except(counts).Any());
    }

    private Dictionary<string, EntryCounts> Counts()
    {
        var counts = new Dictionary<string, EntryCounts>
        {
            [string.Empty] = new(
                pipeline.Shards.Sum(shard => shard.Counts.Read), pipeline.Shards.Sum(shard => shard.Counts.Written)),
        };
        foreach (var command in table.All)
        {
            var one = new EntryCounts(
                pipeline.Shards.Sum(shard => shard.Counts.ReadBy(command)),
                pipeline.Shards.Sum(shard => shard.Counts.WrittenBy(command)));
            if (one.Read > 0 || one.Written > 0)
                counts[command.Name] = one;
        }

        return counts;
    }

    private JsonObject Entries(string name, EntryCounts counts)
    {
        lock (_gate)
        {
            var rates = _rates.GetValueOrDefault(name);
            return new JsonObject
            {
                ["read_count"] = counts.Read,
                ["read_ops"] = Math.Round(rates.Read, 1),
                ["write_count"] = counts.Written,
                ["write_ops"] = Math.Round(rates.Written, 1),
            };
        }
    }

    private JsonObject ReaderOf(SyncShard shard)
    {
        // First: what was received goes on, and is not less.
        var applied = Math.Max(shard.AppliedOffset, 0);
        var progress = shard.Reader.Progress;
        var fields = new Dictionary<string, object>(progress.Fields);
        fields.TryAdd("name", shard.Reader.Name);
        fields.TryAdd("status", progress.Phase);
        fields["applied_offset"] = applied;
        return Written(fields);
    }

    // As a replica's INFO would have it: everything that was received is at the target.
    private bool IsConsistent() =>
        Missing() is null && writer.Places.All(place => place.UnansweredEntries == 0)
        && pipeline.Shards.All(IsConsistent);

    private static bool IsConsistent(SyncShard shard)
    {
        var fields = shard.Reader.Progress.Fields;
        if (fields.TryGetValue("aof_received_offset", out var received))
            return received.Equals(Math.Max(shard.AppliedOffset, 0));
        return shard.IsDone || (shard.Reader.Progress.Phase != "scanning"
            && fields.TryGetValue("need_update_count", out var changed)
            && Convert.ToInt64(changed, CultureInfo.InvariantCulture) == 0);
    }

    private double LagNs(long now)
    {
        var oldest = writer.Places.Select(place => place.OldestNs)
            .Concat(pipeline.Shards.SelectMany(
                shard => new[] { shard.OldestNs, shard.Reader.Progress.OldestNs }))
            .Where(ns => ns > 0).DefaultIfEmpty(now).Min();
        return Math.Max(now - oldest, 0);
    }

    private static JsonNode OneOrAll(JsonNode[] places, bool isCluster) =>
        !isCluster && places.Length == 1 ? places[0] : new JsonArray(places);

    private static JsonObject Written(IReadOnlyDictionary<string, object> fields)
    {
        JsonObject written = [];
        foreach (var (name, value) in fields)
        {
            written[name] = value switch
            {
                string text => text,
                bool isSo => isSo,
                ulong number => number,
                double number => number,
                _ => Convert.ToInt64(value, CultureInfo.InvariantCulture),
            };
            if (name.EndsWith(Bytes, StringComparison.Ordinal))
                written[name[..^Bytes.Length] + "_human"] = Human(Convert.ToInt64(value, CultureInfo.InvariantCulture));
        }

        return written;
    }

    // As go-humanize's IBytes writes it.
    private static string Human(long bytes)
    {
        string[] units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        var (value, unit) = ((double)bytes, 0);
        for (; value >= 1024; unit++)
            value /= 1024;
        var text = unit > 0 && value < 9.95 ? $"{value:0.0}" : $"{value:0}";
        return $"{text} {units[unit]}";
    }

    private readonly record struct EntryCounts(long Read, long Written);
}
