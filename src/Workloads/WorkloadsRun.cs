using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads;

internal sealed class WorkloadsRun(WorkloadJob job, RunContext run, FleetRun? fleet)
{
    private readonly LoadedKeys _loaded = new(job);
    private TurnProgress? _progress;
    private int _times = 1;

    /// <summary>Lives it, alone or as one of several processes.</summary>
    public static int Live(WorkloadJob job, RunContext run)
    {
        if (job.Running.Cpu is { } processor)
            ThreadAffinity.Require(processor, job.Phases.Max(phase => phase.Threads));

        run.Enter(RunPhase.Connect);
        return job.Fleet is { } plan
            ? FleetRun.Live(plan, run, fleet => new WorkloadsRun(job.PartOf(fleet), run, fleet).Run())
            : new WorkloadsRun(job, run, null).Run();
    }

    private int Run()
    {
        using var served = new ServedMetrics(job.Running.Telemetry, "workload", run, job.Member);
        using var awake = job.Running.CpuDmaLatency is { } microseconds ? CpuDmaLatency.Hold(microseconds) : null;
        using var sessions = new PhaseSessions(job, run.Logger);
        foreach (var first in sessions.Firsts)
            InterruptibleStep.Run(first.Connect, run.Stop);
        if (job.IsComparison)
            InterruptibleStep.Run(() => TargetObservation.RequireTwo(job.Targets[0], job.Targets[1]), run.Stop);
        if (!job.IsSelfContained && job.FrontEnd is null)
        {
            var firsts = sessions.Firsts.Select(first => first.Phase).ToList();
            InterruptibleStep.Run(() => _loaded.Require(firsts), run.Stop);
            InterruptibleStep.Run(() => _loaded.RequireValues(firsts), run.Stop);
        }

        fleet?.Meet();
        run.Enter(RunPhase.WarmUp);
        using var recording = new RunRecording(
            run, job.Member, job.Output, job.Servers, awake, isKept: job.FrontEnd is null);
        served.Add(recording.Instrument.Metrics);
        fleet?.Stream(recording.Saved.Log);
        var rotated = job.Rotation.Rotate is null
            ? null
            : new PhasePeriods(sessions.All[0], measured =>
                new WorkloadRecord(job, [measured], null, recording, fleet).Create(run));
        if (rotated is not null)
            recording.Rotate(job.Rotation, rotated);
        if (sessions.FloorLoad is { } load)
            LoadFloor(load, recording);

        // Each phase waits for its replies before the next one begins.
        recording.Measure(() =>
        {
            for (var i = 0; i < sessions.All.Count && !run.Stop.IsRequested; i++)
            {
                Measure(sessions, i, recording, served);
                if (sessions.All[i].StopReason is not null)
                    break;
                if (i + 1 == sessions.All.Count && !run.Stop.IsRequested)
                    Extend(sessions, recording);
                if (i + 1 < sessions.All.Count)
                    Pause(sessions.All[i].Phase.Pause);
            }
        });

        fleet?.End();
        run.Enter(RunPhase.Report);
        // Whoever stops it before anything is measured asks for no record; in every other case there is one.
        if (run.StoppedBy is not null && !sessions.All.Any(session => session.HasMeasured))
            return run.ReportNothing(RunPhase.Measure);
        while (job.Search is null && _times < job.Running.Repeat)
            sessions.AddAgain(++_times);
        var record = rotated?.Last() ?? new WorkloadRecord(job, sessions.All, sessions.Compare(), recording, fleet)
            .Create(run);
        var exitCode = job.FrontEnd?.Finish(sessions, record, run) ?? recording.Finish(record);
        fleet?.Send(recording.Saved.Folder);
        return exitCode;
    }

    private void Extend(PhaseSessions sessions, RunRecording recording)
    {
        if (job.Search is { } search)
        {
            var measured = sessions.All[^1].Phase.Name;
            var next = search.Next(sessions.All[^1]);
            if (search.Last is { } step && step.Phase == measured)
            {
                var outcome = search.Tell(step);
                WorkloadsLog.StepJudged(run.Logger, measured, outcome);
                recording.Show(search.Result);
            }

            if (next is not null)
                sessions.AddStep(next);
        }
        else if (_times < job.Running.Repeat)
        {
            sessions.AddAgain(++_times);
        }
    }

    private void LoadFloor(PhaseSession load, RunRecording recording)
    {
        load.Connect();
        using var nowhere = new IntervalLogFile(null, run.Phases[0].StartedAt);
        load.Measure(
            session => new IntervalReporter(
                session.Metrics, new PhaseProgress(session, run.Logger).Tell, run, nowhere, recording.Instrument,
                LiveViews.None()),
            run.Stop);
    }

    private void Measure(PhaseSessions sessions, int place, RunRecording recording, ServedMetrics served)
    {
        var session = sessions.All[place];
        var phase = session.Phase;
        if (session.IsTurn)
        {
            if (!sessions.All.Take(place).Any(known => known.IsTurn))
            {
                var each = phase.Describe();
                WorkloadsLog.Comparing(run.Logger, job.Targets[0].Name, job.Targets[1].Name, each);
            }

            _progress ??= new TurnProgress(run.Logger, sessions.All.Count(known => known.IsTurn));
            _progress.Report();
        }
        else if (sessions.All.Count > 1)
        {
            var what = phase.Describe();
            WorkloadsLog.PhaseBegins(run.Logger, place + 1, sessions.All.Count, phase.FullName, what);
        }

        InterruptibleStep.Run(session.Connect, run.Stop);
        served.Add(session.Metrics);
        var description = LiveDescription.Of(
            $"{phase.FullName} · {session.Driver.Loop} · {session.Target.Name} · run {job.Run}", session.Metrics) with
        {
            HasTimeLeft = phase.Operations is not null || phase.Duration is not null,
        };

        // A collection now saves one in the phase: so far everything was allocated.
        GC.Collect();
        var isNoted = !session.IsInProcess && job.FrontEnd is null;
        if (isNoted)
            _loaded.Begin(session);
        job.FrontEnd?.Begin(session, run);
        try
        {
            session.Measure(Watched, run.Stop, session.IsFloor || fleet is null ? null : fleet.AwaitStart);
            if (isNoted)
                _loaded.End(session);
        }
        finally
        {
            // What was measured until the server was lost is shown, too.
            job.FrontEnd?.End(session, run);
        }

        IntervalReporter Watched(PhaseSession measured)
        {
            var reporter = recording.Report(
                measured.Metrics,
                Told(measured),
                measured.IsTurn || job.FrontEnd is not null ? LiveViews.None() : recording.View(description),
                measured.Server.LocalProcesses());
            served.Watch(reporter);
            return reporter;
        }
    }

    private IntervalEnd Told(PhaseSession session)
    {
        IntervalEnd own = new PhaseProgress(session, run.Logger).Tell;
        if (job.FrontEnd is not { } frontEnd)
            return own;
        return (in TakenInterval interval, ref LiveSnapshot snapshot) =>
        {
            own(interval, ref snapshot);
            frontEnd.Show(session, interval, snapshot, run);
        };
    }

    private void Pause(TimeSpan length)
    {
        if (length <= TimeSpan.Zero || run.Stop.IsRequested)
            return;
        var seconds = Math.Round(length.TotalSeconds, 3);
        WorkloadsLog.Pausing(run.Logger, seconds);
        run.Stop.WaitUntilRequested(length);
    }
}
