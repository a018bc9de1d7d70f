using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Messaging.Echoing;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer.Serving;

/// <summary>The intervals of serving: how long messages were kept, and what went wrong meanwhile.</summary>
internal sealed class ResidenceIntervals(
    EchoSession session, ProbeAnswering probes, OwnForward forward, TimeSpan? planned, ILogger logger) : IIntervalSource
{
    private readonly IReadOnlyList<StreamEcho> _echoes = session.Echoes;
    private readonly BlockedSeries _residence = new();
    private readonly List<RunEvent> _events = [];
    private ServedTotals _before;
    private ServedTotals _totals;
    private long _refusedBefore;
    private string? _probeProblemBefore;

    /// <summary>The tag of the residence in the interval log, and the name of its series.</summary>
    public const string Residence = "residence";

    /// <summary>The tag of the tool's own pauses.</summary>
    public const string Hiccups = "hiccups";

    /// <summary>The kind of the event that clock probes could not be answered.</summary>
    public const string ProbeProblem = "probes";

    /// <summary>When serving began, in nanoseconds.</summary>
    public long Start { get; } = MonotonicClock.NowNs();

    /// <summary>How long each message was kept, so far.</summary>
    public LatencyHistogram Total => _residence.Total;

    /// <summary>The same in blocks.</summary>
    public SampleBlocks Blocks => _residence.Blocks;

    /// <summary>Lost connections and refused echoes, as noticed at the end of an interval.</summary>
    public IReadOnlyList<RunEvent> Events => _events;

    /// <inheritdoc/>
    public void TakeBlock(TimeSpan duration)
    {
        for (var i = 0; i < _echoes.Count; i++)
            _echoes[i].Residence.TakeInterval(_residence.Block);
        _residence.EndBlock(duration);
    }

    /// <inheritdoc/>
    public void Take(in TakenInterval interval)
    {
        _residence.EndInterval();
        forward.Take();
        interval.Write(Residence, _residence.Interval);
        forward.Log(interval.Log, interval.Start, interval.Duration);

        _before = _totals;
        _totals = ServedTotals.Of(_echoes);
        for (var lost = _before.ConnectionsLost; lost < _totals.ConnectionsLost; lost++)
            Note(interval, ServedRecord.ConnectionLost, "A connection was lost; another is tried for.");
        var refused = session.Refused;
        if (refused > _refusedBefore)
        {
            Note(interval, ServedRecord.EchoesRefused,
                $"The server refused {Quantity.Count(refused - _refusedBefore)} echoes: {session.LastRefusal}");
        }

        _refusedBefore = refused;
        if (probes.Problem is { } problem && problem != _probeProblemBefore)
            Note(interval, ProbeProblem, problem);
        _probeProblemBefore = probes.Problem;
    }

    /// <inheritdoc/>
    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        snapshot.Planned = planned;
        snapshot.Elapsed = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - Start);
        snapshot.Progress = planned is { } whole ? Math.Min(1, snapshot.Elapsed / whole) : null;
        snapshot.AchievedRate = (_totals.Taken - _before.Taken) / interval.Duration.TotalSeconds;
        snapshot.IsIdle = _totals.Taken == _before.Taken;
        snapshot.Sent = _totals.Taken;
        snapshot.Returned = _totals.Echoed;
        snapshot.Errors = _totals.Errors + session.Refused;
        snapshot.SentInterval = LatencyFigures.Of(_residence.Interval);
        snapshot.SentRun = LatencyFigures.Of(Total);
        if (forward.Interval is { Count: > 0 } own)
            snapshot.OneWay = new ProvisionalOneWay(own.FromSent.ValueAtPercentile(50), null, own.WorstErrorNs);
    }

    private void Note(in TakenInterval interval, string kind, string what)
    {
        _events.Add(new RunEvent(interval.End, interval.EndNs, kind, what));
        ConsumerLog.Happened(logger, what);
    }
}
