using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;

namespace RedisLatency.Producer;

/// <summary>
/// One run of a Producer. What it guarantees (docs/output.md) is held by FaultTest, which adds up the messages of each
/// fault of a server or a network, and by VerdictTests, which ask for percentiles among them.
/// </summary>
internal sealed class ProducerRun(CommandRun<ProducerOptions> command, RunContext run)
{
    private readonly ProducerPlan _plan = ProducerPlan.Of(command.Options);

    private ProducerOptions Options => _plan.Options;

    public int Run()
    {
        var targets = Resolve();
        var fleet = _plan.FleetOf(targets, command.Surroundings.Environment);
        if (fleet is { Index: { } member } && !_plan.IsOfRegions)
            command.Options.Resolve("--member", member.ToString(CultureInfo.InvariantCulture));

        run.Enter(RunPhase.Connect);
        return fleet is null ? Run(targets, null) : FleetRun.Live(fleet, run, live => Run(targets, live));
    }

    private int Run(IReadOnlyList<ResolvedTarget> targets, FleetRun? fleet)
    {
        using var served = new ServedMetrics(
            Options.Telemetry, ProducerPlan.Role, run, _plan.Member(command.Options));
        if (Options.Cpu is { } processor)
            ThreadAffinity.Require(processor, _plan.Streams);
        using var awake = Options.CpuDmaLatency is { } microseconds ? CpuDmaLatency.Hold(microseconds) : null;
        using var sessions = new TargetSessions(_plan, targets, run.Logger);
        foreach (var session in sessions.All)
        {
            served.Add(session.Metrics);
            InterruptibleStep.Run(session.Connect, run.Stop);
        }

        if (_plan.IsComparison)
            TargetObservation.RequireTwo(targets[0], targets[1]);
        // Others look for it as soon as all are there.
        using var answering = _plan.IsOfRegions ? Answer(sessions.All[0]) : null;
        if (fleet is null)
            run.Enter(RunPhase.Rendezvous);
        else
            fleet.Meet();
        foreach (var session in sessions.All)
            Meet(session);
        RequireAlike(sessions.Compared);

        run.Enter(RunPhase.WarmUp);
        using (_plan.HasWarmUp ? new WarmUpProgress(run, _plan.WarmUpLength(sessions.All.Count)) : null)
        {
            foreach (var session in sessions.All)
            {
                session.WarmUp(run.Stop);
                session.Prepare();
            }
        }

        run.Stop.Cancellation.ThrowIfCancellationRequested();
        IReadOnlyList<ResolvedTarget> servers = fleet is null ? targets : [.. targets, fleet.Control];
        using var recording = new RunRecording(run, _plan.Member(command.Options), Options.Output, servers, awake);
        served.Add(recording.Instrument.Metrics);
        fleet?.Stream(recording.Saved.Log);
        using var oneWay = _plan.IsCounter || _plan.IsComparison
            ? null
            : new OneWayRun(_plan, recording.Saved, run.Logger);
        oneWay?.Start(sessions.All[0]);

        // Each session waits for its stragglers before the next one begins.
        var compared = _plan.IsComparison ? new ComparedSessions(_plan, sessions.Compared) : null;
        recording.Measure(() =>
        {
            foreach (var session in sessions.All.Except(compared?.Sessions ?? []).TakeWhile(_ => !run.Stop.IsRequested))
                Measure(session, recording, oneWay, served, fleet);
            compared?.Measure(recording, run);
            answering?.ThrowIfFailed();
        });

        fleet?.End();
        run.Enter(RunPhase.Report);
        oneWay?.Finish();
        // As of a load: who stops it before anything is measured asks for no record.
        if (run.StoppedBy is not null && !sessions.All.Any(session => session.HasMeasured))
            return run.ReportNothing(RunPhase.Measure);
        var findings = new ProducerRecord(Options.Output.Thresholds, _plan, sessions.All, recording.Instrument)
            .Create(run);
        var exitCode = recording.Finish(recording.Describe(findings with
        {
            Events = [.. fleet?.Events ?? [], .. findings.Events],
            Notes = [.. fleet?.Notes ?? [], .. findings.Notes],
        }) with
        {
            Clock = oneWay?.Clock,
            Comparison = compared?.Result(),
        });
        fleet?.Send(recording.Saved.Folder);
        return exitCode;
    }

    private IReadOnlyList<ResolvedTarget> Resolve()
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        if (!_plan.IsOfRegions)
        {
            command.Options.Resolve("--channel", _plan.Channel);
            command.Options.Resolve("--reply-channel", _plan.ReplyChannel);
        }

        if (_plan.Rate != Options.Rate)
            command.Options.Resolve("--rate", "0");
        return TargetResolution.Resolve(
            Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask, Options.Fleet);
    }

    private void Meet(TargetSession session)
    {
        session.Rendezvous(line => ProducerLog.NoConsumerYet(run.Logger, line), run.Stop);
        if (session.HasOwnConsumer)
            return;
        foreach (var name in session.Consumers.Select(ConsumerAdvice.NameOf))
            ProducerLog.ConsumerAnswers(run.Logger, name, session.Name);
        RequireRegions(session);
        foreach (var twins in ConsumerAdvice.Twins(session.Consumers))
            ProducerLog.ConsumersOfOneName(run.Logger, twins);
    }

    private RegionAnswering Answer(TargetSession session) => InterruptibleStep.Run(
        () => new RegionAnswering(
            session.Target, _plan, () => session.Metrics.Waits.FirstOrDefault(waits => waits.IsOwn)?.Report()),
        run.Stop);

    // All are at the meeting: who does not answer here is at another server.
    private void RequireRegions(TargetSession session)
    {
        if (!_plan.IsOfRegions || run.Stop.IsRequested)
            return;
        var missing = Options.Fleet.Regions!.Except([.. Regions()]).ToList();
        if (missing.Count > 0)
        {
            throw new RunRefusedException($"region {string.Join(", ", missing)} is there, but does not answer at "
                + $"{session.Name}: --redis must be one server for all regions.");
        }

        IEnumerable<string> Regions() => session.Consumers.Select(consumer => consumer.Content?.NamedRegion)
            .Append(_plan.Region).OfType<string>();
    }

    // Two servers are compared on one way: a Consumer far away would be taken for a slow server.
    private void RequireAlike(IReadOnlyList<TargetSession> compared)
    {
        if (run.Stop.IsRequested || compared.Select(session => session.HasOwnConsumer).Distinct().Count() < 2)
            return;
        var alone = compared.First(session => session.HasOwnConsumer);
        throw new RunRefusedException(ConsumerAdvice.Missing(_plan, alone.Target, 0)
            + $" One answers at {compared.First(session => !session.HasOwnConsumer).Name}.");
    }

    private void Measure(
        TargetSession session, RunRecording recording, OneWayRun? oneWay, ServedMetrics served, FleetRun? fleet)
    {
        var driver = session.Senders[0].Lane?.Driver;
        var description = LiveDescription.Of($"RTT · {driver} · {session.Name} · run {_plan.Run}", session.Metrics);
        oneWay?.Start(session);
        using var reporter = recording.Report(
            session.Metrics, new TargetProgress(session, _plan, run.Logger).Tell, description, session.ServerWaits());
        served.Watch(reporter);
        try
        {
            session.Measure(run.Stop, session.IsFloor || fleet is null ? null : fleet.AwaitStart);
        }
        finally
        {
            reporter.Stop();
            session.CountMissing();
            session.OneWay?.Complete();
        }
    }
}
