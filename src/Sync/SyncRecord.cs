using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Consistency;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Targets;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Sync;

/// <summary>What a synchronisation found, as its record has it.</summary>
internal sealed class SyncRecord(
    SyncSource source, ISyncWriter target, IReadOnlyList<(string Role, TargetServer Server)> servers,
    IReadOnlyList<SyncShard> shards, MetricSet metrics, SessionEvents events, long durationNs)
{
    // The kind of event that makes a run doubtful.
    public const string Doubt = "doubt";

    // That of an event which the reader of the result is told of.
    public const string Remark = "remark";

    private const string AsAsked = "as asked";

    private const string PossiblyLacking = "a command for them (INCR, HSET, SUNIONSTORE …) came to the target, which "
        + "is behind or its clock ahead, after a key that it uses had expired there; or it was sent twice, as its "
        + "answer was lost, and found no key the second time";

    private const string CertainlyLacking = "a command for them (EXPIRE, RENAME, LSET …) did not find at the target "
        + "what it found at the source. That may have expired there before (the target is behind, or its clock ahead), "
        + "have moved between shards of the source, been changed by others, or not been carried over";

    private const string LackingAsAsked = "a command for them (RENAME, LSET, XGROUP CREATE …) did not find at the "
        + "target what it found at the source, as keys or commands are left out";

    // An answer may be long on its way.
    private const long MostAheadMs = 1000;

    public RunFindings ToFindings(OutputOptionsView options, RunContext run)
    {
        var whole = Summary("all", [.. shards]);
        var skips = whole.Sync?.Skips ?? [];
        // Before what is missing is asked for: it may be none.
        var (ofSource, doubtsOfSource) = source.FindDoubts();
        var missing = shards.Select(shard => shard.Reader.Missing).OfType<string>().ToList();
        var counts = shards.Select(shard => shard.Counts).ToList();
        if (!options.Middle.ChangesNames)
            counts.ForEach(SettleGone);
        // Last: it may be lost until the end.
        var (faults, doubts) = target.FindDoubts();
        var lacking = Lacking(counts, KeyLack.Possible, options.ExpectsKeys ? PossiblyLacking : LackingAsAsked);
        return new RunFindings
        {
            Summaries =
            [
                whole,
                .. shards.Count > 1 ? shards.Select(shard => Summary(shard.Reader.Name, [shard])) : [],
            ],
            Targets =
            [
                .. servers.Select(one => RunRecordParts.Target(
                    one.Role, one.Server.Target, null, one.Server.Facts) with
                {
                    Driver = "raw",
                    DriverVersion = ProgramVersion.Text,
                }),
            ],
            Events = run.Parts<RunEvent>(() => events.ToRecord()),
            EndedBy = events.All.FirstOrDefault(one => one.Kind == AofFileReader.Truncated)?.Text,
            Faults = run.Parts<string>(() =>
            [
                .. skips.Where(skip => !IsIntended(skip)).Select(skip =>
                    $"Not carried over ({Quantity.Count(skip.Count)}): {skip.Reason}, the first {skip.First}."),
                .. counts.SelectMany(one => one.Faults),
                .. Lacking(counts, KeyLack.Certain, CertainlyLacking),
                .. ofSource,
                .. faults,
            ]),
            Doubts = run.Parts<string>(() =>
            [
                .. doubts, .. doubtsOfSource, .. missing, .. options.ExpectsKeys ? lacking : [], .. ClockDoubts(),
                .. DoubtsOf(counts, options.Middle), .. options.Doubts,
                .. events.All.Where(one => one.Kind is Doubt or AofFileReader.Truncated).Select(one => one.Text),
            ]),
            EndsWhenStopped = source.HasNoEnd && missing.Count == 0,
            Notes = run.Parts<string>(() =>
            [
                .. options.Notes, .. options.ExpectsKeys ? [] : lacking,
                .. NotesOf(counts, options.Middle),
                .. events.All.Where(one => one.Kind == Remark).Select(one => one.Text),
            ]),
            Shown = [],
            Thresholds = run.Parts<MeasuredThreshold>(
                () => [.. options.Thresholds.Select(one => RunRecordParts.Threshold(one.Evaluate(metrics)))]),
        };
    }

    // What neither has any more lacks nothing: it was emptied, or the source has not yet said that it has expired.
    private void SettleGone(SyncCounts counts)
    {
        if (counts.Lacking.Keys is not { Count: > 0 } keys
            || servers.FirstOrDefault(one => one.Role == "source").Server is not { } from
            || servers.FirstOrDefault(one => one.Role == "target").Server is not { } to)
        {
            return;
        }

        try
        {
            foreach (var (database, key) in from.FindAbsent(to.FindAbsent(keys)))
                counts.Lacking.Set(database, key, KeyLack.None);
        }
        catch (Exception problem) when (problem is RedisException or RunRefusedException)
        {
            // One that cannot be asked, or a cluster that lacks slots by now: so it stays in doubt.
        }
    }

    private static IEnumerable<string> NotesOf(IReadOnlyList<SyncCounts> counts, MiddlePlan middle)
    {
        if (counts.Sum(one => one.Extended) is > 0 and var extended)
        {
            yield return $"{Quantity.Count(extended)} times to live were over when they were carried over, and were "
                + "extended by an hour, as later commands of the source could give those keys more time; "
                + $"{Quantity.Count(counts.Sum(one => one.Ended))} keys of which none had said so by the end were "
                + "deleted then, where they were there yet.";
        }

        if (counts.Sum(one => one.Read) is > 0 and var read && counts.Sum(one => one.Filtered) == read
            && counts.Sum(one => one.Repeated) == 0)
        {
            var who = middle.Function is null ? "filters" : "function or the filters";
            yield return $"The {who} left out all that was read.";
        }

        if (counts.Sum(one => one.Repeated) is > 0 and var repeated)
        {
            yield return $"{Quantity.Count(repeated)} commands came again from the source, and were at the target "
                + "already (they count as filtered).";
        }

        if (counts.Sum(one => one.Unfollowed) is > 0 and var unfollowed)
        {
            yield return $"{Quantity.Count(unfollowed)} times to live were not followed, as there are so many: whether "
                + "those keys had expired at the target before a command came for them (INCR, HSET) is not known.";
        }
    }

    private IEnumerable<string> ClockDoubts()
    {
        var from = servers.FirstOrDefault(one => one.Role == "source").Server;
        if (servers.FirstOrDefault(one => one.Role == "target").Server is { } to
            && to.AheadMs - (from?.AheadMs ?? 0) is >= MostAheadMs and var ahead
            && shards.Any(shard => shard.Counts.HasTimes))
        {
            yield return $"The target's clock is {Quantity.Duration(ahead * 1e6)} ahead of "
                + $"{(from is null ? "this machine" : "the source")}'s: keys with a time to live expire there so much "
                + "earlier.";
        }
    }

    private static List<string> Lacking(IReadOnlyList<SyncCounts> counts, KeyLack lack, string why) =>
        counts.Sum(one => one.Lacking.Count(lack)) is > 0 and var keys
            ? [$"{Quantity.Count(keys)} keys {(lack == KeyLack.Certain ? "lack" : "may lack")} what the source has, "
                + $"the first {counts.First(one => one.Lacking.Count(lack) > 0).Lacking.First(lack)}: {why}."]
            : [];

    private static IEnumerable<string> DoubtsOf(IReadOnlyList<SyncCounts> counts, MiddlePlan middle)
    {
        if (counts.Sum(one => one.Left) is > 0 and var left)
        {
            yield return $"{Quantity.Count(left)} keys or fields whose time to live was over and was extended by an "
                + "hour may stand at the target that long.";
        }

        if ((middle.ChangesNames || !middle.Filter.IsEmpty)
            && counts.Sum(one => one.Scripts) is > 0 and var scripts)
        {
            yield return $"{Quantity.Count(scripts)} scripts were carried over as they are (EVAL, EVALSHA, FCALL): "
                + "keys, databases and commands within them are neither chosen nor changed.";
        }

        // Where its slots moved in the end, that is told beside.
        if (counts.Any(one => one.WasGivenKeys))
        {
            yield return "Keys were moved between shards of the source during the run (MIGRATE), perhaps there and "
                + "back: those that the one deleted behind the other may not be at the target.";
        }
    }

    private static bool IsIntended(SkipReason skip) =>
        skip.Reason.Contains(AsAsked, StringComparison.Ordinal)
        || skip.Reason is LaneRules.ThereAlready or CarriedCommands.NoData;

    private RunSummary Summary(string name, SyncShard[] of)
    {
        var counts = of.Select(shard => shard.Counts).ToList();
        return new RunSummary
        {
            Name = name,
            DurationNs = durationNs,
            Metrics = SyncMetrics.Recorded(of),
            Rates = new MessageRates { Achieved = counts.Sum(one => one.Written) * 1e9 / Math.Max(durationNs, 1) },
            Latencies = of.Length == shards.Count && name == "all" ? metrics.Latencies : [],
            Sync = new SyncResult
            {
                Source = name == "all" ? source.Name : name,
                Target = target.Name,
                AppliedOffset = of is [var one] && one.AppliedOffset != SyncEntry.NoOffset ? one.AppliedOffset : null,
                Skips =
                [
                    .. counts.SelectMany(one => one.SkippedFor).GroupBy(skip => skip.Reason)
                        .Select(same => new SkipReason(same.Key, same.First().First, same.Sum(skip => skip.Count)))
                        .OrderByDescending(skip => skip.Count),
                ],
            },
        };
    }
}

/// <summary>What the record needs of the options.</summary>
internal sealed record OutputOptionsView(
    IReadOnlyList<Threshold> Thresholds, IReadOnlyList<string> Notes, IReadOnlyList<string> Doubts, bool ExpectsKeys,
    MiddlePlan Middle);
