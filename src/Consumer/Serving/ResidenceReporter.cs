using Microsoft.Extensions.Logging;
using RedisLatency.Consumer.OneWay;
using RedisLatency.Consumer.Probing;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Summaries.Served;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results.Records;

namespace RedisLatency.Consumer.Serving;

/// <summary>
/// Once a second, on a thread of its own: takes what was recorded, writes it to the interval log and shows it.
/// </summary>
internal sealed class ResidenceReporter : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly EchoSession _session;
    private readonly IReadOnlyList<StreamEcho> _echoes;
    private readonly ProbeAnswering _probes;
    private readonly OwnForward _forward;
    private readonly RunContext _context;
    private readonly IntervalLogFile _log;
    private readonly InstrumentWatch _instrument;
    private readonly ILiveView _view;
    private readonly ILogger _logger;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly LatencyHistogram _interval = LatencyHistogram.ForLatency();
    private readonly List<RunEvent> _events = [];
    private readonly ReporterThread _thread;
    private LiveSnapshot _snapshot;
    private ServedTotals _before;
    private long _refusedBefore;
    private string? _probeProblemBefore;
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;

    public ResidenceReporter(
        EchoSession session,
        ProbeAnswering probes,
        OwnForward forward,
        TimeSpan? planned,
        RunContext context,
        IntervalLogFile log,
        InstrumentWatch instrument,
        ILiveView view,
        ILogger logger)
    {
        (_session, _echoes, _probes, _forward) = (session, session.Echoes, probes, forward);
        (_context, _log) = (context, log);
        (_instrument, _view, _logger) = (instrument, view, logger);
        _snapshot.Planned = planned;
        Start = MonotonicClock.NowNs();
        _thread = new ReporterThread(Second, Take);
    }

    /// <summary>The tag of the residence in the interval log, and the name of its series.</summary>
    public const string Residence = "residence";

    /// <summary>The tag of the tool's own pauses.</summary>
    public const string Hiccups = "hiccups";

    /// <summary>The kind of the event that clock probes could not be answered.</summary>
    public const string ProbeProblem = "probes";

    /// <summary>When serving began, in nanoseconds.</summary>
    public long Start { get; }

    /// <summary>How long each message was kept, so far.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>Lost connections and refused echoes, as noticed at the end of an interval.</summary>
    public IReadOnlyList<RunEvent> Events => _events;

    /// <summary>Takes the rest, after the last message was echoed.</summary>
    public void Stop()
    {
        _thread.Stop();
        var last = _thread.LastTimestamp == 0 ? _thread.StartTimestamp : _thread.LastTimestamp;
        Take(new ReportInterval(last, MonotonicClock.ToTimestamp(MonotonicClock.NowNs())));
    }

    /// <inheritdoc/>
    public void Dispose() => _thread.Dispose();

    private void Take(ReportInterval interval)
    {
        var start = _wallClock.ToUtc(MonotonicClock.FromTimestamp(interval.FromTimestamp));
        _interval.Reset();
        for (var i = 0; i < _echoes.Count; i++)
            _echoes[i].Residence.TakeInterval(_interval);
        Total.Add(_interval);
        _forward.Take();
        _instrument.TakeInterval();
        _log.Write(Residence, start, interval.Duration, _interval);
        _forward.Log(_log, start, interval.Duration);
        _log.Write(Hiccups, start, interval.Duration, _instrument.HiccupsInterval);

        var totals = ServedTotals.Of(_echoes);
        for (var lost = _before.ConnectionsLost; lost < totals.ConnectionsLost; lost++)
            Note(interval, ServedRecord.ConnectionLost, "A connection was lost; another is tried for.");
        var refused = _session.Refused;
        if (refused > _refusedBefore)
        {
            Note(interval, ServedRecord.EchoesRefused,
                $"The server refused {Quantity.Count(refused - _refusedBefore)} echoes: {_session.LastRefusal}");
        }

        _refusedBefore = refused;
        if (_probes.Problem is { } problem && problem != _probeProblemBefore)
            Note(interval, ProbeProblem, problem);
        _probeProblemBefore = _probes.Problem;
        Show(totals, interval);
        _before = totals;
    }

    private void Note(in ReportInterval interval, string kind, string what)
    {
        var at = MonotonicClock.FromTimestamp(interval.ToTimestamp);
        _events.Add(new RunEvent(_wallClock.ToUtc(at), at, kind, what));
        ConsumerLog.Happened(_logger, what);
    }

    private void Show(in ServedTotals totals, ReportInterval interval)
    {
        _snapshot.Phase = _context.Phase;
        _snapshot.Elapsed = TimeSpan.FromTicks((MonotonicClock.NowNs() - Start) / 100);
        _snapshot.Progress = _snapshot.Planned is { } planned ? Math.Min(1, _snapshot.Elapsed / planned) : null;
        _snapshot.AchievedRate = (totals.Taken - _before.Taken) / interval.Duration.TotalSeconds;
        _snapshot.Sent = totals.Taken;
        _snapshot.Returned = totals.Echoed;
        _snapshot.Errors = totals.Errors + _session.Refused;
        _snapshot.CpuShare = TakeCpuTime() / interval.Duration;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromTicks(_instrument.GcPauses.TotalPauseNs / 100);
        _snapshot.SentInterval = LatencyFigures.Of(_interval);
        _snapshot.SentRun = LatencyFigures.Of(Total);
        if (_forward.Interval is { Count: > 0 } forward)
            _snapshot.OneWay = new ProvisionalOneWay(forward.FromSent.ValueAtPercentile(50), null, forward.WorstErrorNs);
        _view.Show(_snapshot);
    }

    private TimeSpan TakeCpuTime()
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _cpuBefore;
        _cpuBefore = now;
        return used;
    }
}
