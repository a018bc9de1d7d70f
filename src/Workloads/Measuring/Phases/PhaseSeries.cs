using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Totals;

namespace RedisLatency.Workloads.Measuring.Phases;

/// <summary>The latencies of a phase: the last interval, and all so far; nothing is allocated per interval.</summary>
internal sealed class PhaseSeries
{
    /// <summary>Makes the series.</summary>
    /// <param name="operations">The names of the operations.</param>
    /// <param name="isOpenLoop">Whether there is an intended send.</param>
    public PhaseSeries(IReadOnlyList<string> operations, bool isOpenLoop)
    {
        Operations = operations;
        IsOpenLoop = isOpenLoop;
        Interval = new IntervalTotals(operations.Count);
        Total = new IntervalTotals(operations.Count);
    }

    /// <summary>The names of the operations, in the order of the mix.</summary>
    public IReadOnlyList<string> Operations { get; }

    /// <summary>Whether there is an intended send.</summary>
    public bool IsOpenLoop { get; }

    /// <summary>The last interval.</summary>
    public IntervalTotals Interval { get; }

    /// <summary>All so far.</summary>
    public IntervalTotals Total { get; }

    /// <summary>All operations of the last interval, from the actual send.</summary>
    public LatencyHistogram IntervalService { get; } = LatencyHistogram.ForLatency();

    /// <summary>All operations of the last interval, from the intended send.</summary>
    public LatencyHistogram IntervalResponse { get; } = LatencyHistogram.ForLatency();

    /// <summary>All operations so far, from the actual send.</summary>
    public LatencyHistogram Service { get; } = LatencyHistogram.ForLatency();

    /// <summary>All operations so far, from the intended send.</summary>
    public LatencyHistogram Response { get; } = LatencyHistogram.ForLatency();

    /// <summary>Takes what was recorded since the last time.</summary>
    public void TakeInterval(ILoadEngine engine)
    {
        Interval.Reset();
        IntervalService.Reset();
        IntervalResponse.Reset();
        engine.TakeInterval(Interval);
        for (var i = 0; i < Operations.Count; i++)
        {
            Total.Service[i].Add(Interval.Service[i]);
            IntervalService.Add(Interval.Service[i]);
            if (!IsOpenLoop)
                continue;
            Total.Response[i].Add(Interval.Response[i]);
            IntervalResponse.Add(Interval.Response[i]);
        }

        Total.Lateness.Add(Interval.Lateness);
        Service.Add(IntervalService);
        Response.Add(IntervalResponse);
    }

    /// <summary>
    /// Counts what has no latency, once all is counted: without a reply in time, lost, ended by an error, or never sent.
    /// What was never sent was not drawn either: each operation takes its part of that by how often it was sent.
    /// </summary>
    public void AddMissing(EngineTotals totals)
    {
        for (var i = 0; i < Operations.Count; i++)
        {
            var operation = totals.Operations[i];
            var unsent = (long)Math.Ceiling((double)totals.Unsent * operation.Sent / Math.Max(1, totals.Sent));
            var missing = operation.Errors + operation.TimedOut + operation.Lost + unsent;
            Total.Service[i].AddMissing(missing);
            if (IsOpenLoop)
                Total.Response[i].AddMissing(missing);
        }

        var all = totals.Operations.Sum(operation => operation.Errors + operation.TimedOut + operation.Lost)
            + totals.Unsent;
        Service.AddMissing(all);
        if (IsOpenLoop)
            Response.AddMissing(all);
    }

    /// <summary>Every series by its name: all operations first, then each.</summary>
    public IEnumerable<(string Name, LatencyHistogram Histogram)> All()
    {
        if (IsOpenLoop)
            yield return (SeriesNames.Response, Response);
        yield return (SeriesNames.Service, Service);
        for (var i = 0; i < Operations.Count; i++)
        {
            if (IsOpenLoop)
                yield return (SeriesNames.Of(Operations[i], SeriesNames.Response), Total.Response[i]);
            yield return (SeriesNames.Of(Operations[i], SeriesNames.Service), Total.Service[i]);
        }

        if (IsOpenLoop)
            yield return (SeriesNames.Lateness, Total.Lateness);
    }
}
