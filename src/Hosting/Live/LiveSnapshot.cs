using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// The state of a run at the end of an interval. A value, so that the reporter thread fills one again and again and
/// allocates nothing.
/// </summary>
public record struct LiveSnapshot
{
    private const int MostReadings = 100;

    public RunPhase Phase { get; set; }

    /// <summary>How long the phase has lasted.</summary>
    public TimeSpan Elapsed { get; set; }

    /// <summary>How long it will last, where time ends it.</summary>
    public TimeSpan? Planned { get; set; }

    /// <summary>How much of it is done, 0 to 1, where that is known.</summary>
    public double? Progress { get; set; }

    /// <summary>How long it will still last, as it went so far; null where that cannot be told yet.</summary>
    public readonly TimeSpan? Left => Progress is > 0.001 and <= 1 and { } progress && Elapsed > TimeSpan.Zero
        ? TimeSpan.FromSeconds(Math.Round(Elapsed.TotalSeconds * ((1 - progress) / progress)))
        : null;

    /// <summary>Messages per second asked for; null in the closed loop.</summary>
    public double? TargetRate { get; set; }

    /// <summary>How long the last interval was.</summary>
    public TimeSpan Interval { get; set; }

    /// <summary>
    /// What the latencies of the last interval that count most are of; its owner takes the next one there.
    /// </summary>
    public LatencyHistogram? Latencies { get; set; }

    /// <summary>Messages per second of the last interval.</summary>
    public double AchievedRate { get; set; }

    /// <summary>Whether nothing was to be done in the last interval, which is then not worth a line.</summary>
    public bool IsIdle { get; set; }

    /// <summary>Messages sent that have neither returned nor been given up.</summary>
    public long InFlight { get; set; }

    /// <summary>
    /// How late 99 of 100 messages left in the last interval, in nanoseconds; null where others send them.
    /// </summary>
    public long? LatenessP99 { get; set; }

    /// <summary>From the intended send, in the last interval; null in the closed loop, which has no schedule.</summary>
    public LatencyFigures? IntendedInterval { get; set; }

    /// <summary>From the intended send, since the phase began.</summary>
    public LatencyFigures? IntendedRun { get; set; }

    /// <summary>From the actual send, in the last interval.</summary>
    public LatencyFigures SentInterval { get; set; }

    /// <summary>From the actual send, since the phase began.</summary>
    public LatencyFigures SentRun { get; set; }

    /// <summary>One way as far as the clocks' offset is known by now; null where it is not.</summary>
    public ProvisionalOneWay? OneWay { get; set; }

    public long Sent { get; set; }
    public long Returned { get; set; }

    /// <summary>Messages that were due and had no connection or no room in flight.</summary>
    public long Unsent { get; set; }

    /// <summary>Messages given up at the receive deadline.</summary>
    public long Lost { get; set; }

    public long Duplicated { get; set; }
    public long Reordered { get; set; }
    public long Late { get; set; }

    /// <summary>Errors of the server, wrong values, lost connections.</summary>
    public long Errors { get; set; }

    /// <summary>How old the newest that came is, where that is what counts; null elsewhere.</summary>
    public TimeSpan? Age { get; set; }

    public int Alerts { get; set; }

    /// <summary>The longest pause of this process itself so far, in nanoseconds.</summary>
    public long HiccupMax { get; set; }

    public int Collections { get; set; }
    public TimeSpan CollectionPause { get; set; }

    /// <summary>The share of one CPU that this process used in the last interval.</summary>
    public double CpuShare { get; set; }

    /// <summary>
    /// Takes from a set what its metrics say of themselves. Counts are read until two readings are the same, and so all
    /// of one moment; what never pauses for so long is shown to have come back no more often than it was sent.
    /// </summary>
    public void Take(MetricSet set)
    {
        LiveSnapshot before;
        var readings = 0;
        do
        {
            before = this;
            Count(set);
        }
        while (this != before && ++readings < MostReadings);

        for (var i = 0; i < set.Series.Count; i++)
            Take(set.Series[i], set.Series[i].Metric.Column);
    }

    /// <summary>Takes a series as a column's, whatever its metric says.</summary>
    public void Take(MetricSeries series, LiveColumn column)
    {
        switch (column)
        {
            case LiveColumn.Latency:
                SentInterval = LatencyFigures.Of(series.Interval);
                SentRun = LatencyFigures.Of(series.Total);
                Latencies = IntendedInterval is null ? series.Interval : Latencies;
                break;
            case LiveColumn.LatencyFromIntended:
                IntendedInterval = LatencyFigures.Of(series.Interval);
                IntendedRun = LatencyFigures.Of(series.Total);
                Latencies = series.Interval;
                break;
            case LiveColumn.Lateness:
                LatenessP99 = series.Interval.ValueAtPercentile(99);
                break;
        }
    }

    // What became of messages is read before how many there were.
    private void Count(MetricSet set)
    {
        Returned = Count(set, LiveColumn.Returned);
        Unsent = Count(set, LiveColumn.Unsent);
        Lost = Count(set, LiveColumn.Lost);
        Late = Count(set, LiveColumn.Late);
        Duplicated = Count(set, LiveColumn.Duplicated);
        Reordered = Count(set, LiveColumn.Reordered);
        Errors = Count(set, LiveColumn.Errors);
        InFlight = Count(set, LiveColumn.InFlight);
        Sent = Count(set, LiveColumn.Sent);
    }

    private static long Count(MetricSet set, LiveColumn column)
    {
        // By index: an enumerator of the interface would be allocated.
        var sum = 0.0;
        for (var i = 0; i < set.Values.Count; i++)
        {
            if (set.Values[i].Metric.Column == column)
                sum += set.Values[i].Read() ?? 0;
        }

        return (long)sum;
    }
}

/// <summary>What a live view shows of one histogram, in nanoseconds; means nothing where its count is zero.</summary>
public readonly record struct LatencyFigures(long Count, long P50, long P90, long P99, long P999, long Max)
{
    public static LatencyFigures Of(LatencyHistogram histogram) =>
        new LatencyFigures(
            histogram.TotalCount,
            histogram.ValueAtPercentile(50),
            histogram.ValueAtPercentile(90),
            histogram.ValueAtPercentile(99),
            histogram.ValueAtPercentile(99.9),
            histogram.Max);
}
