namespace RedisLatency.Reports.Figures;

/// <summary>
/// What clock probes took from the writer's host to the reader's, without any Redis, and how much longer keys took: the
/// replication's own share. The error of the clocks is the same in both and falls out of their difference.
/// </summary>
/// <param name="Samples">How many probes.</param>
/// <param name="MeanNs">Their mean, in nanoseconds; as far off as the clocks are.</param>
/// <param name="MinNs">The quickest.</param>
/// <param name="MeanShareNs">The mean delay less the mean.</param>
/// <param name="MinShareNs">The least delay less the quickest. Percentiles do not subtract.</param>
public sealed record DirectRoute(long Samples, double MeanNs, long MinNs, double MeanShareNs, long MinShareNs);
