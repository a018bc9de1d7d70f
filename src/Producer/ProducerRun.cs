using RedisLatency.Hosting.Live;
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

        run.Enter(RunPhase.Connect);
        using var served = new ServedMetrics(
            Options.Telemetry, "producer", run, _plan.Member(command.Options));
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
        run.Enter(RunPhase.Rendezvous);
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
        using var recording = new RunRecording(run, _plan.Member(command.Options), Options.Output, targets, awake);
        served.Add(recording.Instrument.Metrics);
        using var oneWay = _plan.IsCounter || _plan.IsComparison
            ? null
            : new OneWayRun(_plan, recording.Saved, run.Logger);
        oneWay?.Start(sessions.All[0]);

        // Each session waits for its stragglers before the next one begins.
        var compared = _plan.IsComparison ? new ComparedSessions(_plan, sessions.Compared) : null;
        recording.Measure(() =>
        {
            foreach (var session in sessions.All.Except(compared?.Sessions ?? []).TakeWhile(_ => !run.Stop.IsRequested))
                Measure(session, recording, oneWay, served);
            compared?.Measure(recording, run);
        });

        run.Enter(RunPhase.Report);
        oneWay?.Finish();
        var findings = new ProducerRecord(Options.Output.Thresholds, _plan, sessions.All, recording.Instrument)
            .Create(run);
        return recording.Finish(recording.Describe(findings) with
        {
            Clock = oneWay?.Clock,
            Comparison = compared?.Result(),
        });
    }

    private IReadOnlyList<ResolvedTarget> Resolve()
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        command.Options.Resolve("--channel", _plan.Channel);
        command.Options.Resolve("--reply-channel", _plan.ReplyChannel);
        if (_plan.Rate != Options.Rate)
            command.Options.Resolve("--rate", "0");
        return TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
    }

    private void Meet(TargetSession session)
    {
        session.Rendezvous(line => ProducerLog.NoConsumerYet(run.Logger, line), run.Stop);
        if (session.HasOwnConsumer)
            return;
        foreach (var name in session.Consumers.Select(ConsumerAdvice.NameOf))
            ProducerLog.ConsumerAnswers(run.Logger, name, session.Name);
        foreach (var twins in ConsumerAdvice.Twins(session.Consumers))
            ProducerLog.ConsumersOfOneName(run.Logger, twins);
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

    private void Measure(TargetSession session, RunRecording recording, OneWayRun? oneWay, ServedMetrics served)
    {
        var driver = session.Senders[0].Lane?.Driver;
        var description = LiveDescription.Of($"RTT · {driver} · {session.Name} · run {_plan.Run}", session.Metrics);
        oneWay?.Start(session);
        using var reporter = recording.Report(
            session.Metrics, new TargetProgress(session, _plan, run.Logger).Tell, description, session.ServerWaits());
        served.Watch(reporter);
        try
        {
            session.Measure(run.Stop);
        }
        finally
        {
            reporter.Stop();
            session.CountMissing();
            session.OneWay?.Complete();
        }
    }
}
