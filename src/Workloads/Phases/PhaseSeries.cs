using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Phases;

/// <summary>The latencies of a phase: the last interval, and all so far; nothing is allocated per interval.</summary>
internal sealed class PhaseSeries
{
    private readonly IntervalTotals _block;
    private readonly BlockedSeries _service = new();
    private readonly BlockedSeries _response = new();
    private readonly BlockedSeries _lateness = new();
    private readonly BlockedSeries[] _services;
    private readonly BlockedSeries[] _responses;

    /// <summary>Makes the series.</summary>
    /// <param name="operations">The names of the operations.</param>
    /// <param name="isOpenLoop">Whether there is an intended send.</param>
    public PhaseSeries(IReadOnlyList<string> operations, bool isOpenLoop)
    {
        Operations = operations;
        IsOpenLoop = isOpenLoop;
        _services = [.. operations.Select(_ => new BlockedSeries())];
        _responses = [.. operations.Select(_ => new BlockedSeries())];
        _block = new IntervalTotals(
            [.. _services.Select(series => series.Block)], [.. _responses.Select(series => series.Block)], _lateness.Block);
    }

    /// <summary>The names of the operations, in the order of the mix.</summary>
    public IReadOnlyList<string> Operations { get; }

    /// <summary>Whether there is an intended send.</summary>
    public bool IsOpenLoop { get; }

    /// <summary>All operations of the last interval, from the actual send.</summary>
    public LatencyHistogram IntervalService => _service.Interval;

    /// <summary>All operations of the last interval, from the intended send.</summary>
    public LatencyHistogram IntervalResponse => _response.Interval;

    /// <summary>How late operations of the last interval were sent.</summary>
    public LatencyHistogram IntervalLateness => _lateness.Interval;

    /// <summary>All operations so far, from the actual send.</summary>
    public LatencyHistogram Service => _service.Total;

    /// <summary>All operations so far, from the intended send.</summary>
    public LatencyHistogram Response => _response.Total;

    /// <summary>One operation of the last interval, from the actual send.</summary>
    public LatencyHistogram IntervalServiceOf(int operation) => _services[operation].Interval;

    /// <summary>One operation of the last interval, from the intended send.</summary>
    public LatencyHistogram IntervalResponseOf(int operation) => _responses[operation].Interval;

    /// <summary>Takes what was recorded since the last time.</summary>
    public void TakeBlock(ILoadEngine engine, TimeSpan duration)
    {
        engine.TakeInterval(_block);
        for (var i = 0; i < Operations.Count; i++)
        {
            _service.Block.Add(_services[i].Block);
            _services[i].EndBlock(duration);
            if (!IsOpenLoop)
                continue;
            _response.Block.Add(_responses[i].Block);
            _responses[i].EndBlock(duration);
        }

        _service.EndBlock(duration);
        if (!IsOpenLoop)
            return;
        _response.EndBlock(duration);
        _lateness.EndBlock(duration);
    }

    /// <summary>The interval is over; it stays until the next block.</summary>
    public void EndInterval()
    {
        for (var i = 0; i < Operations.Count; i++)
        {
            _services[i].EndInterval();
            _responses[i].EndInterval();
        }

        _service.EndInterval();
        _response.EndInterval();
        _lateness.EndInterval();
    }

    /// <summary>
    /// Counts what has no latency, once all is counted: without a reply in time, lost, ended by an error, or never
    /// sent. What was never sent was not drawn either: each operation takes its part of that by how often it was sent.
    /// </summary>
    public void AddMissing(EngineTotals totals)
    {
        for (var i = 0; i < Operations.Count; i++)
        {
            var operation = totals.Operations[i];
            var unsent = (long)Math.Ceiling((double)totals.Unsent * operation.Sent / Math.Max(1, totals.Sent));
            var missing = operation.Errors + operation.TimedOut + operation.Lost + unsent;
            _services[i].Total.AddMissing(missing);
            if (IsOpenLoop)
                _responses[i].Total.AddMissing(missing);
        }

        var all = totals.Operations.Sum(operation => operation.Errors + operation.TimedOut + operation.Lost)
            + totals.Unsent;
        Service.AddMissing(all);
        if (!IsOpenLoop)
            return;
        Response.AddMissing(all);
        _lateness.Total.AddMissing(totals.Unsent);
    }

    /// <summary>Every series by its name: all operations first, then each.</summary>
    public IEnumerable<(string Name, BlockedSeries Series)> All()
    {
        if (IsOpenLoop)
            yield return (SeriesNames.Response, _response);
        yield return (SeriesNames.Service, _service);
        for (var i = 0; i < Operations.Count; i++)
        {
            if (IsOpenLoop)
                yield return (SeriesNames.Of(Operations[i], SeriesNames.Response), _responses[i]);
            yield return (SeriesNames.Of(Operations[i], SeriesNames.Service), _services[i]);
        }

        if (IsOpenLoop)
            yield return (SeriesNames.Lateness, _lateness);
    }
}
