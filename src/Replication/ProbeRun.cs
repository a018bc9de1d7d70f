using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Monitoring;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Replication;

/// <summary>One run, whatever the keys are, and whichever end of the link this process has.</summary>
internal sealed class ProbeRun(DelayPlan plan, RunContext run, Func<SessionEvents, ProbeSide> sideOf)
{
    private readonly SessionEvents _events = new();

    public int Run()
    {
        using var side = sideOf(_events);

        run.Enter(RunPhase.Connect);
        side.Connect();

        run.Enter(RunPhase.Rendezvous);
        if (!side.Meet())
            throw new OperationCanceledException();

        run.Enter(RunPhase.WarmUp);
        side.Open();
        using var monitor = plan.IsContinuous ? new HeartbeatMonitor(plan, run, side, _events) : null;
        using var recording = plan.Record(run, side.Targets);
        recording.Show(_events.ToRecord);
        side.Watch();
        using ProbeReporter reporter = monitor is null
            ? new KeyReporter(plan, run, side, recording, _events)
            : new WindowReporter(plan, run, side, recording, _events, monitor);

        // Measuring ends when every probe is accounted for.
        recording.Measure(() =>
        {
            reporter.Begin();
            try
            {
                side.Session.Run(side.Begin());
            }
            finally
            {
                side.EndWatch();
                reporter.Stop();
            }

            reporter.RequireServers();
        });
        if (side.Draining(recording.Saved.Log) is { } drain)
            run.Drain(drain);

        run.Enter(RunPhase.Report);
        // As of a load: who stops it before anything is measured asks for no record.
        if (run.StoppedBy is not null && !reporter.HasMeasured)
            return run.ReportNothing(RunPhase.Measure);
        reporter.Finish();
        var record = recording.Describe(new ProbeRecord(plan, run, side, reporter, _events).Create());
        if (!plan.Options.IsCheck || plan.Options.Output.Format != OutputFormat.Text)
            return recording.Finish(record);
        run.Output.WriteLine(CheckLine.Of(record, plan.Keys));
        run.Output.Flush();
        return record.ExitCode;
    }
}
