using RedisLatency.Metrics.Machine;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads;

internal static class WorkloadVerdict
{
    public const string NoServer =
        "No server was named: the server is inside this process, and this is the most that this tool can do.";

    // Some are at any moment.
    private const int LeastUnderWay = 10;

    // More changes of primaries than these are not told one by one.
    private const int MostChanges = 6;

    /// <summary>Why the numbers may not be relied on; empty where they may.</summary>
    public static IEnumerable<string> Faults(PhaseSession session, RunSummary summary, bool isWhole)
    {
        var workload = WorkloadResults.Of(summary);
        if (session.StopReason is { } reason)
            yield return $"{summary.Name}: stopped by an error reply, as --on-error stop asks: {reason}";
        if (session.Silent is { } silent)
        {
            var shift = session.HasOthersBehind
                ? ": a reply is missing on their connections, and what was sent there after it has the latency of "
                    + "another request."
                : ".";
            yield return $"{summary.Name}: requests in flight at the end were never answered by {silent.Address}, "
                + $"although the server answers{shift}";
        }

        if (WrongReplies(summary.Name, workload.Operations) is { } contradiction)
            yield return contradiction;
        if (WrongReplies(WarmUpOf(summary), session.Totals?.WarmUp ?? []) is { } early)
            yield return early;
        if (summary.Count(Counted.Contradictions) is > 0 and var contradictions)
            yield return $"{summary.Name}: {WrongAnswers.Fault(contradictions)}";

        if (!session.HasMeasured)
        {
            // What a signal or a lost server ended is partial, which is said there.
            if (session.IsWhole)
                yield return $"{summary.Name}: nothing was measured: no operation was sent and ended in its time.";
            yield break;
        }

        if (summary.Count(Counted.Completed) == 0)
        {
            yield return $"{summary.Name}: no operation was completed.";
            yield break;
        }

        if (session.IsStep)
            yield break;
        var missing = ((Metric[])[Counted.Unsent, Counted.Errors, Counted.TimedOut, Counted.Lost])
            .Sum(metric => summary.Count(metric) ?? 0);
        var share = (double)missing / Math.Max(1, summary.Count(Counted.Asked) ?? 0);
        if (share > VerdictLimits.TolerableLoss)
        {
            yield return $"{summary.Name}: {Quantity.Percent(share)} of what was asked for failed, was lost or never "
                + "sent, so the 99th percentile of all operations is not known.";
        }

        if (isWhole && (VerdictLimits.ScheduleFault(
            summary.Name, summary.Count(Counted.Asked), summary.Count(Counted.Sent), summary.Rates,
            session.ScheduledNs, session.StretchNs)
            ?? QueueFault(session, summary)) is { } late)
            yield return late;
    }

    private static string WarmUpOf(RunSummary summary) => $"{summary.Name}, warm-up";

    // An operation is of the period in which it ends.
    private static string? UnderWay(PhaseSession session, RunSummary summary)
    {
        if (session.Totals is not { IsOfPeriod: true } || summary.Rates.Asked is not { } rate)
            return null;
        var due = rate * session.StretchNs / 1e9;
        var later = (long)due - (summary.Count(Counted.Asked) ?? 0);
        return later >= LeastUnderWay && later > VerdictLimits.TolerableLoss * due
            ? $"{summary.Name}: {Quantity.Count(later)} operations that were due had not ended: they are in the next "
                + "folder."
            : null;
    }

    private static string? QueueFault(PhaseSession session, RunSummary summary) =>
        session.Queue.Fault(summary.Name, summary.Rates, session.StretchNs);

    /// <summary>Why a search has no answer, or one that is none of the server's; empty where it has.</summary>
    public static IEnumerable<string> Faults(RateSearchResult? search)
    {
        if (search is null)
            yield break;
        if (search.MissedLater is { Count: > 1 } missed)
        {
            yield return $"Steps at {Quantity.Count(missed.Count)} lower rates missed the limit after the answer "
                + "had been found: the server, or this machine, became slower meanwhile.";
        }

        switch (search.End)
        {
            case SearchEnd.Unfinished:
                yield return "The search ended before the highest rate was found.";
                break;
            case SearchEnd.Unsure when search.Held is null:
                yield return $"Whether any rate is held under {search.Limit} is not sure.";
                break;
            case SearchEnd.Generator:
                var above = search.Held is { } held ? $"more than {Quantity.Rate(held)}" : "it, or more";
                yield return "This tool was the limit of the search: it could not send "
                    + $"{Quantity.Rate(search.NotHeld ?? 0)} in time, so the server may hold {above}; "
                    + $"{OwnFault(search)}. More --threads or --connections, or another machine, may come to more.";
                break;
            default:
                break;
        }
    }

    private static string OwnFault(RateSearchResult search) =>
        search.Steps.LastOrDefault(step => step.Outcome == StepOutcome.Generator)?.Because ?? "it was late";

    /// <summary>Which of the phases that were asked for the run ended before; empty where none.</summary>
    public static IEnumerable<string> NotReached(IEnumerable<PhaseSession> asked)
    {
        var missing = asked.Where(session => !session.HasMeasured && !session.IsWhole)
            .Select(session => session.Phase.FullName).ToList();
        if (missing.Count > 0)
            yield return $"Not measured, because the run ended before: {string.Join("; ", missing)}.";
    }

    /// <summary>Says that replies contradict what was asked; null where none does.</summary>
    internal static string? WrongReplies(string name, IReadOnlyList<OperationResult> operations)
    {
        var wrong = operations.SelectMany(operation => operation.ErrorReplies)
            .Where(error => error.Key.StartsWith(ReplyKind.WrongCode, StringComparison.Ordinal))
            .Sum(error => error.Value);
        return wrong == 0
            ? null
            : $"{name}: {Quantity.Count(wrong)} replies were of a kind that their command cannot have: they are not "
                + "those of Redis to what was asked.";
    }

    /// <summary>The percentiles that are shown first: each that the instrument may have made a part of.</summary>
    public static IEnumerable<ShownPercentiles> Shown(PhaseSession session, RunSummary summary)
    {
        var lateness = session.Metrics.Series
            .FirstOrDefault(series => series.Metric == WorkloadMetrics.Lateness)?.Total;
        return summary.Latencies
            .Where(series => series.Name == WorkloadMetrics.Service.Name
                || series.Name == WorkloadMetrics.Response.Name)
            .Select(series => ShownPercentiles.Of(series, $"{summary.Name} ") with
            {
                Lateness = series.Name == WorkloadMetrics.Response.Name ? lateness : null,
                Waits = session.Metrics.Waits,
            });
    }

    /// <summary>What to keep in mind although the numbers may be relied on.</summary>
    public static IEnumerable<string> Notes(PhaseSession session, RunSummary summary, CpuUsage? cpu)
    {
        var workload = WorkloadResults.Of(summary);
        if (session.Queue.IsLeft && QueueFault(session, summary) is null)
            yield return session.Queue.Note(summary.Name);
        if (UnderWay(session, summary) is { } underWay)
            yield return underWay;
        if (session.Phase.IsOpenLoop && summary.Count(Counted.WarmUpCompleted) is { } owed
            && owed > VerdictLimits.TolerableLoss * (summary.Count(Counted.Completed) ?? 0))
        {
            yield return $"{summary.Name}: {Quantity.Count(owed)} answers to the warm-up came in its time, as the "
                + "server was behind: the rate is without them.";
        }

        if (ThroughputLimit.IsTool(workload.Limit))
            yield return $"{summary.Name}: {workload.Limit}.";
        if (session.NotNoted is { } reason)
        {
            yield return $"{summary.Name}: what was written could not be noted, so cleanup will not remove it: "
                + reason;
        }

        foreach (var operation in session.Phase.Mix.Operations.Where(one => one.Command.LeftOut is not null))
            yield return $"{summary.Name}: {operation.Command.LeftOut}";
        foreach (var note in OperationNotes(summary.Name, session.Measured.Operations))
            yield return note;
        foreach (var note in WarmUpNotes(WarmUpOf(summary), session.Measured.WarmUp))
            yield return note;
        foreach (var note in ServerNotes(summary, workload))
            yield return note;
        foreach (var note in workload.Engine is { } engine ? EngineNotes(summary, engine) : [])
            yield return note;

        if (cpu is { ThrottledPeriods: > 0 and var throttled })
            yield return $"This process was throttled by its CPU quota {throttled} times.";
        foreach (var whyNot in session.Server.Missing)
            yield return $"{summary.Name}: the server's own facts are not known: {whyNot}";
        if (!session.Server.Missing.Any() && Uncounted(session, workload) is { } uncounted)
            yield return $"{summary.Name}: {uncounted}";
    }

    private static string? Uncounted(PhaseSession session, WorkloadResult workload) => session.Phase.Mix.Operations
        .Zip(session.Measured.Operations)
        .GroupBy(pair => pair.First.Command.Shapes[0].Name.ToLowerInvariant(), pair => pair.Second.Counts.Completed)
        .Select(done => (
            Command: done.Key,
            Completed: done.Sum(),
            workload.ServerCommands.FirstOrDefault(use => use.Command == done.Key)?.Calls))
        .Where(done => done.Calls < done.Completed)
        .Select(done => $"the server counted {Quantity.Count(done.Calls)} {done.Command} of "
            + $"{Quantity.Count(done.Completed)} that were completed: its counters were reset meanwhile, or others "
            + "answered too.")
        .FirstOrDefault();

    private static IEnumerable<string> EngineNotes(RunSummary summary, EngineFacts engine)
    {
        var name = summary.Name;
        if (summary.Count(Counted.ConnectionsLost) is > 0 and var lost)
        {
            yield return $"{name}: {Quantity.Count(lost)} connections were lost, "
                + $"{Quantity.Count(summary.Count(Counted.Reconnected))} restored.";
        }

        foreach (var (code, count) in engine.Refusals)
        {
            yield return $"{name}: connections were refused {Quantity.Count(count)} times with {code}, the "
                + "first: " + engine.RefusalExamples.GetValueOrDefault(code, code);
        }

        if (summary.Count(Counted.InFlightLimitHits) is > 0 and var heldBack)
        {
            yield return $"{name}: {Quantity.Count(heldBack)} operations had to wait for room "
                + "in flight (--max-in-flight); they wait in the response time.";
        }
    }

    private static IEnumerable<string> ServerNotes(RunSummary summary, WorkloadResult workload)
    {
        var name = summary.Name;
        if (workload.Engine is not { } engine)
            yield break;
        foreach (var change in engine.PrimaryChanges.Take(MostChanges))
        {
            var when = change.AtNs < 0 ? "during the warm-up" : $"after {Quantity.Duration(change.AtNs)}";
            var place = change.From is { } from ? $" in place of {from}" : string.Empty;
            yield return $"{name}: {change.To} became a primary{place} {when}.";
        }

        if (engine.PrimaryChanges.Count - MostChanges is > 0 and var more)
            yield return $"{name}: {more} more changes of primaries are in run.json.";
        if (summary.Count(Counted.ReadsOfPrimary) is > 0 and var reads)
        {
            yield return $"{name}: {Quantity.Count(reads)} reads went to a primary, because no replica "
                + "of it was up.";
        }

        if (!engine.IsCluster && workload.Operations.Any(operation => operation.ErrorReplies.ContainsKey("MOVED")))
        {
            yield return $"{name}: MOVED comes from a node of a cluster, for keys that other nodes have: with "
                + "--cluster on each key goes to its own.";
        }
    }

    private static IEnumerable<string> WarmUpNotes(string name, IReadOnlyList<OperationTotals> operations)
    {
        foreach (var note in operations.SelectMany(operation => WrongNotes(name, operation)))
            yield return note;
        if (operations.Sum(operation => operation.Counts.TimedOut + operation.Counts.Lost) is > 0 and var unanswered)
            yield return $"{name}: {Quantity.Count(unanswered)} operations were not answered.";
    }

    private static IEnumerable<string> WrongNotes(string name, OperationTotals operation)
    {
        foreach (var (code, count) in operation.ErrorReplies.OrderByDescending(error => error.Value))
        {
            yield return $"{name}: {Quantity.Count(count)} × {code} for {operation.Name}, the first: "
                + operation.ErrorExamples.GetValueOrDefault(code, code);
        }

        if (operation.Counts.Mismatched is > 0 and var mismatched)
        {
            yield return $"{name}: {Quantity.Count(mismatched)} values read by {operation.Name} are not "
                + "what this workload wrote, or are missing though they were loaded.";
        }
    }

    private static IEnumerable<string> OperationNotes(string name, IReadOnlyList<OperationTotals> operations)
    {
        foreach (var operation in operations)
        {
            foreach (var note in WrongNotes(name, operation))
                yield return note;
            var (hits, misses) = (operation.Counts.Hits, operation.Counts.Misses);
            if (misses > hits)
            {
                var share = (double)misses / (hits + misses);
                yield return $"{name}: {Quantity.Percent(share)} of what {operation.Name} read was not there; "
                    + "load the records first, with the same --key-form.";
            }
        }
    }
}
