using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Producer.Measuring;

/// <summary>Two servers, measured in short turns of random order, so that what drifts meets both alike.</summary>
internal sealed class ComparedSessions(ProducerPlan plan, IReadOnlyList<TargetSession> sessions)
{
    private readonly ComparedTurns _turns = new();

    public IReadOnlyList<TargetSession> Sessions => sessions;

    public void Measure(RunRecording recording, RunContext run)
    {
        var (turns, taken) = (plan.Turns, new int[sessions.Count]);
        ProducerLog.Comparing(run.Logger, sessions[0].Name, sessions[1].Name, turns);
        var progress = new TurnProgress(run.Logger, turns * sessions.Count);
        try
        {
            foreach (var place in TurnOrder.Of(turns, plan.Options.Seed).TakeWhile(_ => !run.Stop.IsRequested))
            {
                Measure(sessions[place], taken[place]++, turns, recording, run);
                if (!run.Stop.IsRequested)
                    _turns.Add(place, HeadlineOf(sessions[place]).Total, sessions[place].Due);
                progress.Report();
            }
        }
        finally
        {
            foreach (var session in sessions)
            {
                session.End();
                session.CountMissing();
            }
        }

        foreach (var session in sessions)
            session.RequireTargetAtEnd();
    }

    /// <summary>How the second differs from the first; null where nothing was measured of one.</summary>
    public TargetComparison? Result() =>
        _turns.Compare(sessions[0].Name, sessions[1].Name, HeadlineOf(sessions[0]).Metric.Name);

    private static void Measure(
        TargetSession session, int turn, int turns, RunRecording recording, RunContext run)
    {
        using var reporter = recording.Report(
            session.Metrics, (in _, ref _) => { }, LiveViews.None(), session.ServerWaits());
        try
        {
            session.MeasureTurn(turn, turns, run.Stop);
        }
        finally
        {
            reporter.Stop();
        }
    }

    private MetricSeries HeadlineOf(TargetSession session)
    {
        var name = plan.IsOpenLoop ? ProducerMetrics.RoundTripFromIntended.Name : ProducerMetrics.RoundTrip.Name;
        return session.Metrics.Series.First(series => series.Metric.Name == name);
    }
}
