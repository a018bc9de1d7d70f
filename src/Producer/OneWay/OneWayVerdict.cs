using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Producer.OneWay;

/// <summary>The faults and notes of one-way latency, in sentences.</summary>
internal static class OneWayVerdict
{
    public static IEnumerable<string> Faults(IReadOnlyList<RunSummary> summaries)
    {
        if (summaries.Any(summary => summary.OneWay.Any(pair => pair.IsSynthetic)))
            yield return SyntheticClock.Fault;
        foreach (var summary in summaries)
        {
            foreach (var fault in summary.OneWay.Select(PairGrading.FloorFault).OfType<string>().Distinct())
                yield return $"{summary.Name}: {fault}";
            foreach (var pair in Failed(summary, hasEcho: false))
                yield return $"{summary.Name}: one way to {pair.Consumer} is grade F. {pair.Reasons[0]}";
        }
    }

    // Grade F makes only the one-way part not valid: a round trip needs one clock alone, and is the headline then.
    // Without an echo there is none.
    public static IEnumerable<string> Notes(IReadOnlyList<RunSummary> summaries)
    {
        foreach (var summary in summaries)
        {
            foreach (var pair in Failed(summary, hasEcho: true))
            {
                yield return $"{summary.Name}: one way to {pair.Consumer} is NOT VALID (grade F); the round trip is. "
                    + pair.Reasons[0];
            }

            foreach (var pair in summary.OneWay.Where(pair => pair.Probes.Problem is not null))
                yield return $"{summary.Name}: probes to {pair.Consumer}: {pair.Probes.Problem}.";
        }
    }

    public static string? WhyNone(ProducerPlan plan, OneWaySession? session)
    {
        if (plan.IsCounter)
            return "plain counts carry no stamps of the consumer.";
        if (plan.IsComparison)
            return "two servers are compared by their round trips; give one --redis.";
        if (session?.Problem is { } problem)
            return problem;
        return session is { Pairs.Count: > 0 } ? null : "no consumer answered.";
    }

    private static IEnumerable<OneWayPair> Failed(RunSummary summary, bool hasEcho) =>
        summary.Count(Counted.Returned) is not null == hasEcho
            ? summary.OneWay.Where(pair => pair.Grade == OneWayGrade.F && PairGrading.FloorFault(pair) is null)
            : [];
}
