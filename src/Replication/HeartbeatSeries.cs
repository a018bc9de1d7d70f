using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication;

internal sealed class HeartbeatSeries
{
    private readonly InstrumentWatch _instrument;
    private readonly LatencyHistogram _hiccups = LatencyHistogram.ForLatency();

    public HeartbeatSeries(HeartbeatSession session, ProbeSide side, InstrumentWatch instrument)
    {
        _instrument = instrument;
        Delays = [.. session.Tally.Parts.Select(part => new WindowedSeries(part))];
        var uncertainty = new WindowedSeries(
            new(DelayMetrics.Uncertainty, [.. session.Readings.Select(one => one.Probes.Tally.Uncertainty)]));
        Lateness = new(session.Lateness);
        session.Lateness.MissingSoFar = () => (session.Counts.LeftOut, 0);
        session.Tally.CountMissing(() => session.Counts.WithoutDelay);
        foreach (var one in session.Readings)
            one.Probes.Tally.CountMissing(() => one.Probes.Counts.WithoutDelay);
        All =
        [
            .. side.Reads ? [.. Delays, uncertainty] : Array.Empty<WindowedSeries>(),
            .. side.Writes ? [Lateness] : Array.Empty<WindowedSeries>(),
        ];
        Main = side.Reads ? FromSent[1] : Lateness;
        foreach (var one in All)
            Metrics.Add(one.Series);
        foreach (var one in session.Readings.Where(_ => session.Beats.Count > 1))
            Metrics.Add(one.Metrics);
        HeartbeatMetrics.AddCounts(Metrics, session, side.Reads);
    }

    public MetricSet Metrics { get; } = new();

    // What it is all about: the middles of the delays, or how late heartbeats left that are read elsewhere.
    public WindowedSeries Main { get; }
    public WindowedSeries Lateness { get; }
    public IReadOnlyList<WindowedSeries> All { get; }

    // Of each the lower ends, the middles and the upper ends.
    public IReadOnlyList<WindowedSeries> FromSent => Delays[..3];

    public IReadOnlyList<WindowedSeries> FromIntended => Delays[3..];

    public LatencyHistogram Hiccups => _hiccups;

    public LatencyHistogram GcPauses { get; } = LatencyHistogram.ForLatency();

    private WindowedSeries[] Delays { get; }

    public void Take(TimeSpan duration)
    {
        Metrics.TakeBlock(duration);
        Metrics.EndInterval();
        for (var i = 0; i < All.Count; i++)
            All[i].Window.Add(All[i].Series.Interval);
        _instrument.TakeInterval();
        _hiccups.Add(_instrument.HiccupsInterval);
        GcPauses.Add(_instrument.GcPausesInterval);
    }

    // Heartbeats of the window that ends have no delay, or never left: they are slower than all others.
    public void CountMissing(long withoutDelay, long unsent)
    {
        for (var i = 0; i < Delays.Length; i++)
            Delays[i].Window.AddMissing(withoutDelay);
        Lateness.Window.AddMissing(unsent);
    }

    public void BeginWindow()
    {
        for (var i = 0; i < All.Count; i++)
            All[i].Window.Reset();
        _hiccups.Reset();
        GcPauses.Reset();
    }
}
