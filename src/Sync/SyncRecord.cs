using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Sync.Commands;
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
    /// <summary>The kind of events that put a run in doubt.</summary>
    public const string Doubt = "doubt";

    private const string AsAsked = "as asked";

    public RunFindings ToFindings(
        SyncPlan plan, TransformPlan transform, IReadOnlyList<string> notes, RunContext run)
    {
        var whole = Summary("all", [.. shards]);
        // Before what is missing is asked for: it may be none.
        var ofSource = source.FindProblem();
        var missing = shards.Select(shard => shard.Reader.Missing).OfType<string>().ToList();
        var counts = shards.Select(shard => shard.Counts).ToList();
        string[] missed = counts.Sum(one => one.Missed) > 0 ? [MissedIn(counts, plan.ExpectsKeys)] : [];
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
                .. FaultsOf(counts, plan.ExpectsKeys),
                .. ofSource is { IsCertain: true, Text: var fault } ? [fault] : Array.Empty<string>(),
            ]),
            Doubts = run.Parts<string>(() =>
            [
                .. ofSource is { IsCertain: false, Text: var doubt } ? [doubt] : Array.Empty<string>(),
                .. missing, .. DoubtsOf(counts, transform),
                .. events.All.Where(one => one.Kind is Doubt or AofFileReader.Truncated).Select(one => one.Text),
            ]),
            EndsWhenStopped = source.HasNoEnd && missing.Count == 0,
            Notes = run.Parts<string>(() =>
            [
                .. notes, .. plan.ExpectsKeys ? [] : missed, .. NotesOf(counts, transform),
            ]),
            Shown = [],
            Thresholds = run.Parts<MeasuredThreshold>(() =>
            [
                .. plan.Options.Output.Thresholds.Select(one => RunRecordParts.Threshold(one.Evaluate(metrics))),
            ]),
        };
    }

    /// <summary>What the run itself did not carry over as it was, whatever its servers did.</summary>
    /// <param name="counts">Those of each shard.</param>
    /// <param name="expectsKeys">Whether commands find at the target what they found at the source.</param>
    public static IEnumerable<string> FaultsOf(IReadOnlyList<SyncCounts> counts, bool expectsKeys) =>
    [
        .. SkipsOf(counts).Where(skip => !IsIntended(skip)).Select(skip =>
            $"Not carried over ({Quantity.Count(skip.Count)}): {skip.Reason}, the first {skip.First}."),
        .. counts.SelectMany(one => one.Faults),
        .. expectsKeys && counts.Sum(one => one.Missed) > 0 ? [MissedIn(counts, expectsKeys)] : (string[])[],
    ];

    public static string MissedIn(IReadOnlyList<SyncCounts> counts, bool expectsKeys) =>
        $"{Quantity.Count(counts.Sum(one => one.Missed))} commands did not find at the target what they found at the "
            + $"source, the first {counts.First(one => one.Missed > 0).FirstMissed}"
            + (expectsKeys
                ? ": the key had expired by the target's clock, or others changed it."
                : ", as keys or commands are left out.");

    private static IEnumerable<string> NotesOf(IReadOnlyList<SyncCounts> counts, TransformPlan transform)
    {
        if (counts.Sum(one => one.Extended) is > 0 and var extended)
        {
            yield return $"{Quantity.Count(extended)} times to live were over when they were carried over, and were "
                + "extended by an hour, as later commands of the source could give those keys more time; "
                + $"{Quantity.Count(counts.Sum(one => one.Ended))} keys that no later command named were ended when "
                + "all was read.";
        }

        if (counts.Sum(one => one.Read) is > 0 and var read && counts.Sum(one => one.Filtered) == read
            && counts.Sum(one => one.Repeated) == 0)
        {
            var who = transform.Function is null ? "filters" : "function or the filters";
            yield return $"The {who} left out all that was read.";
        }

        if (counts.Sum(one => one.Repeated) is > 0 and var repeated)
        {
            yield return $"{Quantity.Count(repeated)} commands came again from the source, and were at the target "
                + "already (they count as filtered).";
        }
    }

    private static IEnumerable<string> DoubtsOf(IReadOnlyList<SyncCounts> counts, TransformPlan transform)
    {
        if ((transform.ChangesNames || !transform.Filter.IsEmpty)
            && counts.Sum(one => one.Scripts) is > 0 and var scripts)
        {
            yield return $"{Quantity.Count(scripts)} scripts were carried over as they are (EVAL, EVALSHA, FCALL): "
                + "keys, databases and commands within them are neither chosen nor changed.";
        }
    }

    private static bool IsIntended(SkipReason skip) =>
        skip.Reason.Contains(AsAsked, StringComparison.Ordinal)
        || skip.Reason is LaneRules.ThereAlready or ReplicatedCommands.NoData
            or CommandDowngrade.ShardMessages or CommandDowngrade.IdleConsumers;

    private static List<SkipReason> SkipsOf(IReadOnlyList<SyncCounts> counts) =>
    [
        .. counts.SelectMany(one => one.SkippedFor).GroupBy(skip => skip.Reason)
            .Select(same => new SkipReason(same.Key, same.First().First, same.Sum(skip => skip.Count)))
            .OrderByDescending(skip => skip.Count),
    ];

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
                Skips = SkipsOf(counts),
            },
        };
    }
}
