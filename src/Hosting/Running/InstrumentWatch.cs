using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// Watches the instrument itself while it measures: how late a thread of this process wakes, what garbage collection
/// and the machine do. Started before the measured phase, so that what it needs is allocated by then; what it sees
/// counts from <see cref="Begin"/> to <see cref="Stop"/>.
/// </summary>
public sealed class InstrumentWatch : IDisposable
{
    private readonly LatencyRecorder _recorder = new();
    private readonly LatencyRecorder _stillRecorder = new(Coarse());
    private GcPauseWatch _gc = new();
    private CpuSample _start = CpuSample.Take();
    private readonly HiccupMeter _meter;
    private CpuUsage? _cpu;
    private readonly List<ProcessorWaits> _allWaits = [];
    private volatile IReadOnlyList<ProcessorWaits> _waits = [];

    private InstrumentWatch()
    {
        _meter = HiccupMeter.Start(_recorder, _stillRecorder, SampleWaits);
        Metrics.Add(Metric.Hiccups, Hiccups);
    }

    /// <summary>What it measures, for telemetry.</summary>
    public MetricSet Metrics { get; } = new();

    public LatencyHistogram HiccupsInterval { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Hiccups { get; } = LatencyHistogram.ForLatency();

    /// <summary>The same of the period, where a run has several: those of the record.</summary>
    public LatencyHistogram HiccupsOfPeriod { get; } = LatencyHistogram.ForLatency();

    /// <summary>
    /// Of the hiccups what is no wait for a processor: this process, or the machine, stood still. All of them where
    /// such waits are not counted.
    /// </summary>
    public LatencyHistogram Standstills { get; } = Coarse();

    /// <summary>How long collections stopped this process in the interval: one value where there was any.</summary>
    public LatencyHistogram GcPausesInterval { get; } = LatencyHistogram.ForLatency();

    /// <summary>Garbage collection so far, or of the period.</summary>
    public GcPauses GcPauses => _gc.Total;

    /// <summary>The processor from start, or that of the period, to stop; until then, to now.</summary>
    public CpuUsage Cpu => _cpu ?? CpuUsage.Between(_start, CpuSample.Take());

    /// <summary>All hiccups so far, or of the period, as the run record has them.</summary>
    public LatencySeries HiccupSeries =>
        LatencySeries.Of(Metric.Hiccups.Name, PercentileTable.Of(HiccupsOfPeriod));

    /// <summary>Takes the first interval of a process: it takes milliseconds, the later ones microseconds.</summary>
    public static void WarmUp() => new LatencyRecorder().TakeInterval(LatencyHistogram.ForLatency());

    public static InstrumentWatch Start() => new();

    /// <summary>The measured phase begins: what was seen before is forgotten.</summary>
    public void Begin()
    {
        TakeInterval();
        Hiccups.Reset();
        BeginPeriod();
    }

    /// <summary>A period ends, and the next begins: on the thread that takes intervals, after one.</summary>
    public void BeginPeriod()
    {
        HiccupsOfPeriod.Reset();
        Standstills.Reset();
        _gc = new GcPauseWatch();
        _start = CpuSample.Take();
    }

    /// <summary>
    /// From now on it is watched what the threads on the way of what is measured wait for a processor: those of this
    /// process, and of others on this machine.
    /// </summary>
    public IReadOnlyList<ProcessorWaits> WatchWaits(IEnumerable<ProcessorWaits?> others)
    {
        List<ProcessorWaits> waits = ProcessorWaits.AreCounted
            ? [ProcessorWaits.OfThisProcess(), .. others.OfType<ProcessorWaits>()]
            : [];
        _allWaits.AddRange(waits);
        return _waits = waits;
    }

    /// <summary>What comes now is no part of what is measured.</summary>
    public void EndWaits() => _waits = [];

    /// <summary>Takes the interval that ends now; allocates nothing.</summary>
    public void TakeInterval()
    {
        HiccupsInterval.Reset();
        _recorder.TakeInterval(HiccupsInterval);
        Hiccups.Add(HiccupsInterval);
        HiccupsOfPeriod.Add(HiccupsInterval);
        _stillRecorder.TakeInterval(Standstills);
        GcPausesInterval.Reset();
        if (_gc.Poll() is { Collections: > 0 } pauses)
            GcPausesInterval.Record(pauses.TotalPauseNs);
    }

    /// <summary>Stops watching; what the intervals so far have seen stays, so that a log of them has it all.</summary>
    public void Stop()
    {
        if (_cpu is not null)
            return;
        _cpu = Cpu;
        _meter.Dispose();
    }

    public void Dispose()
    {
        Stop();
        _allWaits.ForEach(one => one.Dispose());
    }

    // For judging only.
    private static LatencyHistogram Coarse() => new(1, (long)TimeSpan.FromHours(1).TotalNanoseconds, 2);

    private void SampleWaits()
    {
        var waits = _waits;
        for (var i = 0; i < waits.Count; i++)
            waits[i].Sample();
    }
}
