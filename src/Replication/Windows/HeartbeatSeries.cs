using RedisLatency.Hosting.Instrument;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Heartbeat;

namespace RedisLatency.Replication.Windows;

/// <summary>Everything that is measured, of all ways together.</summary>
internal sealed class HeartbeatSeries
{
    private readonly InstrumentWatch _instrument;
    private readonly LatencyHistogram _hiccups = LatencyHistogram.ForLatency();

    public HeartbeatSeries(HeartbeatSession session, HeartbeatSide side, InstrumentWatch instrument)
    {
        _instrument = instrument;
        Delays = [.. session.Delays.FromSent.Parts.Concat(session.Delays.FromIntended.Parts)
            .Select(part => new WindowedSeries(part))];
        var uncertainty = new WindowedSeries(
            new(DelaySeriesNames.Uncertainty, [.. session.Ways.Select(way => way.Delays.Uncertainty)]));
        Lateness = new(new(
            DelaySeriesNames.Lateness, [.. session.Ways.Select(way => way.Writer?.Lateness).OfType<LatencyRecorder>()]));
        All =
        [
            .. side.Reads ? [.. Delays, uncertainty] : Array.Empty<WindowedSeries>(),
            .. side.Writes ? [Lateness] : Array.Empty<WindowedSeries>(),
        ];
        Main = side.Reads ? Middle : Lateness;
    }

    /// <summary>
    /// What it is all about: the middles of the delays, or how late heartbeats left that are read elsewhere.
    /// </summary>
    public WindowedSeries Main { get; }

    /// <summary>How late heartbeats left; nothing where another process writes.</summary>
    public WindowedSeries Lateness { get; }

    /// <summary>All series but the tool's own pauses.</summary>
    public IReadOnlyList<WindowedSeries> All { get; }

    /// <summary>The least that delays can be.</summary>
    public WindowedSeries Lower => Delays[0];

    /// <summary>The middles of the delays.</summary>
    public WindowedSeries Middle => Delays[1];

    /// <summary>The most that they can be.</summary>
    public WindowedSeries Upper => Delays[2];

    /// <summary>The same from the intended send.</summary>
    public WindowedSeries IntendedLower => Delays[3];

    /// <inheritdoc cref="IntendedLower"/>
    public WindowedSeries IntendedMiddle => Delays[4];

    /// <inheritdoc cref="IntendedLower"/>
    public WindowedSeries IntendedUpper => Delays[5];

    /// <summary>The tool's own pauses in the window so far.</summary>
    public LatencyHistogram Hiccups => _hiccups;

    private IReadOnlyList<WindowedSeries> Delays { get; }

    /// <summary>A series by its name; null where there is none.</summary>
    public WindowedSeries? Find(string name) => All.FirstOrDefault(series => series.Name == name);

    /// <summary>Takes what was recorded since the last time.</summary>
    public void Take(TimeSpan duration)
    {
        for (var i = 0; i < All.Count; i++)
            All[i].Take(duration);
        _instrument.TakeInterval();
        _hiccups.Add(_instrument.HiccupsInterval);
    }

    /// <summary>
    /// Heartbeats of the window that ends have no delay, or never left: they are slower than all others.
    /// </summary>
    public void CountMissing(long withoutDelay, long unsent)
    {
        for (var i = 0; i < Delays.Count; i++)
            Delays[i].Window.AddMissing(withoutDelay);
        Lateness.Window.AddMissing(unsent);
    }

    /// <summary>Another window begins.</summary>
    public void BeginWindow()
    {
        for (var i = 0; i < All.Count; i++)
            All[i].Window.Reset();
        _hiccups.Reset();
    }
}
