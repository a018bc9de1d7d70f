using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Running;

/// <summary>What a run comes to, by the same rules in every role.</summary>
/// <param name="Verdict">Whether its numbers may be relied on.</param>
/// <param name="ExitCode">What its process ends with, as far as it is known before the results are written.</param>
public sealed record RunOutcome(RunVerdict Verdict, int ExitCode)
{
    /// <summary>
    /// The outcome of a run: faults say why what was asked for was not measured, doubts which numbers the instrument or
    /// the machine made a material part of.
    /// </summary>
    public static RunOutcome Of(
        RunContext context,
        IEnumerable<string> faults,
        IEnumerable<string> doubts,
        IEnumerable<string> notes,
        IReadOnlyCollection<ThresholdResult> thresholds,
        bool isStrict)
    {
        var grave = faults.ToList();
        if (MonotonicClock.IsSynthetic)
            grave.Insert(0, SyntheticClock.Fault);
        if (thresholds.Any(threshold => threshold.Held is null))
            grave.Add("A threshold cannot be judged; its line says why.");
        var material = doubts.ToList();

        // The failure itself is the reason that the run is partial, and is said there.
        var status = grave.Count > 0 || context.Failure is not null ? VerdictStatus.NotValid
            : material.Count > 0 ? VerdictStatus.Doubtful
            : VerdictStatus.Valid;
        var isRefused = status == VerdictStatus.NotValid || (status == VerdictStatus.Doubtful && isStrict);
        return new RunOutcome(
            new RunVerdict(status, [.. grave.Concat(material).Concat(notes).Distinct()]),
            Running.ExitCode.Combine(
                context.ExitCode,
                Running.ExitCode.Combine(
                    isRefused ? Running.ExitCode.NotValid : Running.ExitCode.Valid,
                    thresholds.Any(threshold => threshold.Held == false)
                        ? Running.ExitCode.ThresholdMissed
                        : Running.ExitCode.Valid)));
    }
}
