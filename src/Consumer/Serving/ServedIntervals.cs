using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Consumer.Serving;

/// <summary>What serving has at the end of each interval besides its metrics: faults, and one-way latency.</summary>
internal sealed class ServedIntervals(
    EchoSession session, ProbeAnswering probes, ForwardRecording forward, TimeSpan? planned, ILogger logger)
{
    private readonly SessionEvents _events = new();
    private ServedTotals _before;
    private long _refusedBefore;
    private string? _probeProblemBefore;

    public const string ProbeProblem = "probes";

    /// <summary>When serving began, in nanoseconds.</summary>
    public long Start { get; } = MonotonicClock.NowNs();

    public IReadOnlyList<RunEvent> Events => _events.ToRecord();

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        forward.Take();
        forward.Log(interval.Log, interval.Start, interval.Duration);
        var totals = ServedTotals.Of(session.Echoes);
        for (var lost = _before.ConnectionsLost; lost < totals.ConnectionsLost; lost++)
            Note(ServedRecord.ConnectionLost, "A connection was lost; another is tried for.");
        var refused = session.Refused;
        if (refused > _refusedBefore)
        {
            Note(ServedRecord.EchoesRefused,
                $"The server refused {Quantity.Count(refused - _refusedBefore)} echoes: {session.LastRefusal}");
        }

        _refusedBefore = refused;
        if (probes.Problem is { } problem && problem != _probeProblemBefore)
            Note(ProbeProblem, problem);
        _probeProblemBefore = probes.Problem;

        snapshot.Planned = planned;
        snapshot.Elapsed = TimeSpan.FromNanoseconds(interval.EndNs - Start);
        snapshot.Progress = planned is { } whole ? Math.Min(1, snapshot.Elapsed / whole) : null;
        snapshot.IsIdle = totals.Taken == _before.Taken;
        var warmUp = totals.WarmUp - _before.WarmUp;
        if (warmUp > 0 && warmUp == totals.Taken - _before.Taken)
            snapshot.Phase = RunPhase.WarmUp;
        else
            snapshot.AchievedRate -= warmUp / interval.Duration.TotalSeconds;
        snapshot.Errors = totals.Errors + refused;
        if (forward.Interval is { Count: > 0 } own)
            snapshot.OneWay = new ProvisionalOneWay(own.FromSent.ValueAtPercentile(50), null, own.WorstErrorNs);
        _before = totals;
    }

    private void Note(string kind, string what)
    {
        _events.Note(kind, what);
        ConsumerLog.Happened(logger, what);
    }
}
