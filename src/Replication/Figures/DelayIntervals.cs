using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Figures;

internal sealed class DelayIntervals : IIntervalSource
{
    private readonly KeySession _session;
    private readonly DelayPlan _plan;
    private readonly EventTeller _events;
    private readonly CollectedSeries _lateness;
    private readonly List<(string Tag, CollectedSeries Series)> _tagged = [];
    private int _parts;
    private long _sentBefore;

    public DelayIntervals(KeySession session, LinkWatch watch, DelayPlan plan, ILogger logger)
    {
        (_session, _plan) = (session, plan);
        _events = new EventTeller(session.Events, logger);
        _lateness = new(DelaySeriesNames.Lateness, [.. session.Writing.KeyWriters.Select(writer => writer.Lateness)]);
        Uncertainty = session.Destinations.Count == 1
            ? session.Destinations[0].Uncertainty
            : new(DelaySeriesNames.Uncertainty, [.. session.Destinations.Select(one => one.Uncertainty)]);
        Series =
        [
            .. session.Tally.FromSent.Parts, .. session.Tally.FromIntended.Parts, Uncertainty, _lateness,
            .. watch.Series,
        ];
        if (session.Destinations.Count > 1)
        {
            foreach (var one in session.Destinations)
                AddPart([.. one.Tally.FromSent.Parts, .. one.Tally.FromIntended.Parts, one.Uncertainty]);
        }

        foreach (var one in session.Readings.Where(reading => reading.Way.Shard is not null))
            AddPart([.. one.Tally.FromSent.Parts, .. one.Tally.FromIntended.Parts]);
    }

    public IReadOnlyList<CollectedSeries> Series { get; }
    public CollectedSeries Uncertainty { get; }

    public CollectedSeries Lateness => _lateness;

    public void TakeBlock(TimeSpan duration)
    {
        for (var i = 0; i < Series.Count; i++)
            Series[i].TakeBlock(duration);
    }

    public void Take(in TakenInterval interval)
    {
        for (var i = 0; i < Series.Count; i++)
        {
            Series[i].EndInterval();
            interval.Write(Series[i].Name, Series[i].Interval);
        }

        // Those that they are the sums of have been taken with them.
        for (var i = 0; i < _tagged.Count; i++)
            interval.Write(_tagged[i].Tag, _tagged[i].Series.Interval);

        _events.Tell();
    }

    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var tally = _session.Tally;
        long sent = 0;
        long unsent = 0;
        long refused = 0;
        for (var i = 0; i < _session.Writing.KeyWriters.Count; i++)
        {
            sent += _session.Writing.KeyWriters[i].Sent;
            unsent += _session.Writing.KeyWriters[i].Unsent;
            refused += _session.Writing.KeyWriters[i].Refused;
        }

        snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, MonotonicClock.NowNs() - _session.Writing.StartNs));
        snapshot.Planned = _plan.Planned;
        snapshot.Progress = Math.Min(1, (double)(sent + unsent) / _plan.Keys);
        snapshot.TargetRate = _plan.Options.Rate;
        snapshot.AchievedRate = (sent - _sentBefore) / interval.Duration.TotalSeconds;
        snapshot.InFlight = _session.Readings.Sum(reading => reading.Reader.Pending);
        // As in the result, a key counts once for each destination.
        snapshot.Sent = sent * _session.Destinations.Count;
        snapshot.Unsent = unsent * _session.Destinations.Count;
        snapshot.Returned = tally.Read;
        snapshot.Lost = tally.MissingCount;
        snapshot.Errors = (refused * _session.Destinations.Count) + tally.Overwritten;
        snapshot.LatenessP99 = _lateness.Interval.ValueAtPercentile(99);
        snapshot.SentInterval = LatencyFigures.Of(tally.FromSent.Parts[1].Interval);
        snapshot.SentRun = LatencyFigures.Of(tally.FromSent.Middle);
        snapshot.IntendedInterval = LatencyFigures.Of(tally.FromIntended.Parts[1].Interval);
        snapshot.IntendedRun = LatencyFigures.Of(tally.FromIntended.Middle);
        _sentBefore = sent;
    }

    // In the order of the record's summaries, the first of which is that of all keys.
    private void AddPart(IEnumerable<CollectedSeries> part)
    {
        _parts++;
        _tagged.AddRange(part.Select(series => (SummaryMark.TagOf(_parts, series.Name), series)));
    }
}
