using RedisLatency.Reports.MetricSets;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>One run as memtier_benchmark tells it: its rows, each with its seconds.</summary>
internal sealed class MemtierRun
{
    private readonly int[] _rowOf;
    private readonly OperationCounts[] _before;
    private readonly bool _isExpected;

    /// <param name="session">The phase that is about to begin.</param>
    /// <param name="rowOf">The row of each of its operations.</param>
    /// <param name="rows">What all rows are called, also those without operations: SET, GET.</param>
    /// <param name="options">What was asked for.</param>
    public MemtierRun(
        PhaseSession session, IEnumerable<int> rowOf, IEnumerable<string> rows, MemtierOptions options)
    {
        _rowOf = [.. rowOf];
        _before = new OperationCounts[_rowOf.Length];
        _isExpected = session.Phase.IsOpenLoop && !options.AsOriginal;
        // As in the original, the totals are without the bytes of waits.
        Rows =
        [
            .. rows.Select(name => new MemtierRow(name, countsBytes: name != "WAIT" || options.Commands.Count > 0)),
        ];
    }

    public IReadOnlyList<MemtierRow> Rows { get; }

    public MemtierRow Totals { get; } = new("TOTALS");

    public DateTimeOffset StartedAt { get; } = TimeProvider.System.GetUtcNow();

    public double Seconds { get; private set; }

    public long ConnectionErrors { get; private set; }

    public bool IsInterrupted { get; private set; }

    public double Rate => Totals.Count / Seconds;

    /// <summary>Takes what happened in an interval, which began in this second of the run.</summary>
    public MemtierSecond Take(PhaseSession session, int second)
    {
        var all = new MemtierSecond(second);
        foreach (var row in Rows)
            row.Add(new MemtierSecond(second));
        for (var i = 0; i < _rowOf.Length; i++)
        {
            var counts = session.CountsOf(i);
            var part = new MemtierSecond(second);
            var row = Rows[_rowOf[i]];
            part.Add(counts, row.CountsBytes ? _before[i] : counts, SeriesOf(session, i).Interval);
            _before[i] = counts;
            row.Add(part);
            all.Add(part);
        }

        Totals.Add(all);
        return all;
    }

    /// <summary>Takes the exact counts of the whole.</summary>
    public void End(PhaseSession session, bool isInterrupted)
    {
        var totals = session.Measured;
        Seconds = session.DurationNs / 1e9;
        ConnectionErrors = totals.Progress.Load.ConnectionsLost;
        IsInterrupted = isInterrupted;
        for (var i = 0; i < _rowOf.Length; i++)
        {
            var (row, latencies) = (Rows[_rowOf[i]], SeriesOf(session, i).Total);
            var result = row.CountsBytes
                ? totals.Operations[i]
                : totals.Operations[i] with
                {
                    Counts = totals.Operations[i].Counts with { BytesSent = 0, BytesReceived = 0 },
                };
            row.Add(result, latencies);
            Totals.Add(result, latencies);
        }
    }

    private MetricSeries SeriesOf(PhaseSession session, int operation)
    {
        var name = session.Phase.Mix.Operations[operation].Name;
        var metric = _isExpected ? WorkloadMetrics.Response : WorkloadMetrics.Service;
        return session.Metrics.Series.First(series => series.Metric.Name == $"{name}-{metric.Name}");
    }
}
