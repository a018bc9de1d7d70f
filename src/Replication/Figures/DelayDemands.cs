using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// Holds thresholds against what was measured. Where there are several destinations, one on delays or on keys that were
/// read is held against each, or against the one that it names.
/// </summary>
internal sealed class DelayDemands(DelayOutcome outcome, LatencyHistogram hiccups)
{
    /// <summary>What became of the thresholds.</summary>
    public IEnumerable<MeasuredThreshold> Evaluate(IEnumerable<Threshold> thresholds) => thresholds.SelectMany(Evaluate);

    private IEnumerable<MeasuredThreshold> Evaluate(Threshold threshold)
    {
        if (outcome.Destinations.Count == 0)
        {
            var whole = new DelayMetrics(outcome.Keys, outcome.Tally, outcome.Series, hiccups);
            return [RunRecordParts.Threshold(threshold.Evaluate(whole))];
        }

        if (!DelayMetrics.IsOfEachDestination(threshold))
        {
            // What became of a key at the source is the same for each.
            var whole = new DelayMetrics(outcome.Destinations[0].Keys, outcome.Tally, outcome.Series, hiccups);
            return [RunRecordParts.Threshold(threshold.Evaluate(whole))];
        }

        return outcome.Destinations.Where(one => threshold.Scope is null || Is(one.Keys, threshold.Scope.Name))
            .Select(one => At(one, threshold));
    }

    private static bool Is(ReplicationDelay keys, string name) =>
        name == keys.DestinationRegion || name == keys.Destination;

    private MeasuredThreshold At(PartOutcome one, Threshold threshold)
    {
        var metrics = new DelayMetrics(one.Keys, one.Tally, one.Series, hiccups);
        var name = one.Keys.DestinationRegion ?? one.Keys.Destination;
        var result = RunRecordParts.Threshold(threshold.Evaluate(metrics), threshold.Scope is null ? name : null);
        return threshold.Scope is null ? result with { Reason = $"{result.Reason}, at {name}" } : result;
    }
}
