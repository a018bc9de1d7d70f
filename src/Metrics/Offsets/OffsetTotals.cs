namespace RedisLatency.Metrics.Offsets;

/// <summary>What became of the probes of a pair of clocks.</summary>
/// <param name="Probes">All that were given.</param>
/// <param name="Pairs">Coded pairs among them: each is two probes.</param>
/// <param name="AcceptedForward">Pairs whose gap arrived at B as it was sent: neither met a queue on the way.</param>
/// <param name="AcceptedBack">Pairs whose gap arrived back at A as B sent it.</param>
/// <param name="Impossible">
/// Probes that no clocks can produce: returned before sent, echoed before received, or kept for longer than they were
/// away. They bound nothing.
/// </param>
/// <param name="Contradicting">
/// Probes that contradicted those around them, without enough others to make it a step. They bound nothing, and the
/// windows they fall into are not proven.
/// </param>
/// <param name="Straddling">Probes that were under way while a clock jumped. They bound nothing.</param>
/// <param name="Steps">Jumps of one of the clocks.</param>
public readonly record struct OffsetTotals(
    long Probes,
    long Pairs,
    long AcceptedForward,
    long AcceptedBack,
    long Impossible,
    long Contradicting,
    long Straddling,
    long Steps);
