using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.Totals;

/// <summary>
/// Latencies since they were last taken, per operation. What is taken is added: the same object can hold an interval or
/// the sum of all.
/// </summary>
internal sealed class IntervalTotals
{
    /// <param name="operations">How many operations the mix has.</param>
    public IntervalTotals(int operations)
        : this(
            [.. Enumerable.Range(0, operations).Select(_ => LatencyHistogram.ForLatency())],
            [.. Enumerable.Range(0, operations).Select(_ => LatencyHistogram.ForLatency())],
            LatencyHistogram.ForLatency())
    {
    }

    /// <summary>Adds to these histograms.</summary>
    public IntervalTotals(
        IReadOnlyList<LatencyHistogram> service, IReadOnlyList<LatencyHistogram> response, LatencyHistogram lateness) =>
        (Service, Response, Lateness) = (service, response, lateness);

    /// <summary>From the actual send to the last reply, of operations that completed, in nanoseconds.</summary>
    public IReadOnlyList<LatencyHistogram> Service { get; }

    /// <summary>
    /// From the intended send; empty in a closed loop, where it is the same. An operation that was due but could not be
    /// sent waits in here.
    /// </summary>
    public IReadOnlyList<LatencyHistogram> Response { get; }

    /// <summary>How long after they were due an open loop's operations were sent, in nanoseconds.</summary>
    public LatencyHistogram Lateness { get; }

    /// <summary>Forgets everything.</summary>
    public void Reset()
    {
        // By index: an enumerator of the interface would be allocated in every interval.
        for (var operation = 0; operation < Service.Count; operation++)
        {
            Service[operation].Reset();
            Response[operation].Reset();
        }

        Lateness.Reset();
    }
}
