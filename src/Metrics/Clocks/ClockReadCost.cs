namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// What one reading of <see cref="MonotonicClock"/> costs here, in nanoseconds: the least that any measured duration
/// contains, and the error of comparing two processes that share the clock.
/// </summary>
/// <param name="MedianNs">The median over the batches.</param>
/// <param name="MinimumNs">The quietest batch.</param>
public readonly record struct ClockReadCost(double MedianNs, double MinimumNs)
{
    private const int Batches = 501;
    private const int ReadsPerBatch = 64;

    /// <summary>Measures it: about a millisecond where a read costs what it should (15 to 40 ns).</summary>
    public static ClockReadCost Measure()
    {
        var costs = new double[Batches];
        // The first pass lets the compiler finish; the second one counts.
        MeasureBatches(costs);
        MeasureBatches(costs);
        Array.Sort(costs);
        return new ClockReadCost(costs[Batches / 2], costs[0]);
    }

    private static void MeasureBatches(double[] costs)
    {
        for (var batch = 0; batch < costs.Length; batch++)
        {
            var start = MonotonicClock.NowNs();
            var last = start;
            for (var read = 0; read < ReadsPerBatch; read++)
                last = MonotonicClock.NowNs();
            costs[batch] = (last - start) / (double)ReadsPerBatch;
        }
    }
}
