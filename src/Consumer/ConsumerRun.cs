using System.Globalization;
using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Consumer;

internal sealed class ConsumerRun(CommandRun<ConsumerOptions> command, RunContext run)
{
    private readonly ConsumerPlan _plan = new(command.Options.Values);

    private ConsumerOptions Options => _plan.Options;

    public int Run()
    {
        var target = Resolve();
        var fleet = _plan.FleetOf(target, command.Surroundings.Environment);
        if (fleet is { Index: { } member })
            command.Options.Resolve("--member", member.ToString(CultureInfo.InvariantCulture));

        run.Enter(RunPhase.Connect);
        return fleet is null ? Run(target, null) : FleetRun.Live(fleet, run, live => Run(target, live));
    }

    private int Run(ResolvedTarget target, FleetRun? fleet)
    {
        EchoSession? serving = null;
        using var served = new ServedMetrics(
            Options.Telemetry, "consumer", run, _plan.Member(command.Options),
            () => Volatile.Read(ref serving)?.HealthProblem);
        if (Options.Cpu is { } processor)
            ThreadAffinity.Require(processor, Options.Streams);
        using var awake = Options.CpuDmaLatency is { } microseconds ? CpuDmaLatency.Hold(microseconds) : null;
        var preflight = InterruptibleStep.Run(() => ServerPreflight.Check(target, _plan), run.Stop);
        preflight.RequireRights();
        foreach (var unknown in preflight.Rights.Unknown)
            ConsumerLog.RightNotKnown(run.Logger, unknown);
        using var probes = new ProbeAnswering(_plan, target, preflight.ProbeComplaint);
        if (preflight.ProbeComplaint is { } complaint)
            ConsumerLog.NoProbesThroughRedis(run.Logger, complaint);
        using var session = new EchoSession(target, _plan, _plan.EchoWith(probes.Offer));
        InterruptibleStep.Run(session.Connect, run.Stop);
        Volatile.Write(ref serving, session);
        served.Add(session.Metrics);
        if (fleet is not null)
        {
            // Producers look for it as soon as all are there.
            session.Start();
            fleet.Meet();
        }

        IReadOnlyList<ResolvedTarget> servers = fleet is null ? [target] : [target, fleet.Control];
        using var recording = new RunRecording(run, _plan.Member(command.Options), Options.Output, servers, awake);
        using var forward = new ForwardRecording(session.Feeds, recording.Saved.Folder);
        served.Add(recording.Instrument.Metrics);
        fleet?.Stream(recording.Saved.Log);
        var intervals = new ServedIntervals(session, probes, forward, Options.Duration, run.Logger);
        var servedNs = 1L;
        recording.Measure(() =>
        {
            Serve(target, session, probes, intervals, recording, fleet, out servedNs);
            RequireAtEnd(target, session);
        });

        fleet?.End();
        run.Enter(RunPhase.Report);
        var measured = RunRecordParts.Target(target.Name, target, session.Echoes[0].Lane, preflight.Facts);
        var exitCode = recording.Finish(
            new ConsumerRecord(Options, _plan, session, probes, forward, intervals, run, fleet)
                .Create(recording, measured, servedNs));
        fleet?.Send(recording.Saved.Folder);
        return exitCode;
    }

    private ResolvedTarget Resolve()
    {
        command.Options.Resolve("--run", _plan.Run);
        command.Options.Resolve("--instance", _plan.Instance);
        command.Options.Resolve("--channel", _plan.Channel);
        command.Options.Resolve("--reply-channel", _plan.ReplyChannel);
        return TargetResolution
            .Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask, Options.Fleet).Single();
    }

    private void Serve(
        ResolvedTarget target,
        EchoSession session,
        ProbeAnswering probes,
        ServedIntervals intervals,
        RunRecording recording,
        FleetRun? fleet,
        out long servedNs)
    {
        var driver = session.Echoes[0].Lane?.Driver;
        var description = LiveDescription.Of(
            $"residence · {driver} · {target.Name} · run {_plan.Run}", session.Metrics);
        using var reporter = recording.Report(
            session.Metrics, intervals.End, description, LocalServer.WaitsOf([target]));
        try
        {
            if (fleet is null)
                session.Start();
            AnnounceServing(target, probes);
            if (fleet is null)
                session.WaitForEnd(Options.Duration, run.Stop.Cancellation);
            else
                session.WaitForEnd(fleet.AwaitOthers, run.Stop.Cancellation);
        }
        finally
        {
            session.Stop();
            servedNs = Math.Max(1, MonotonicClock.NowNs() - intervals.Start);
            reporter.Stop();
        }
    }

    // Nothing connected, or nothing answered, at the end of serving: then it was lost, whatever came before.
    private static void RequireAtEnd(ResolvedTarget target, EchoSession session)
    {
        if (session.Echoes.FirstOrDefault(echo => !echo.IsConnected) is { } disconnected)
        {
            throw new TargetLostException(
                $"There was no connection at the end of serving: {disconnected.Outages[^1].Reason}");
        }

        var server = new TargetObservation(target);
        server.Poll();
        if (!server.IsReached)
            throw new TargetLostException($"Nothing was answered at the end of serving: {server.WhyNot}");
    }

    private void AnnounceServing(ResolvedTarget target, ProbeAnswering probes)
    {
        var endpoint = target.Endpoint.ToString();
        var end = Options.Duration is { } duration
            ? string.Create(CultureInfo.InvariantCulture, $"for {duration.TotalSeconds:0.###} s")
            : Options.Fleet.IsMember ? "until the Producers have ended" : "until it is stopped";
        ConsumerLog.Serving(run.Logger, _plan.Channel, endpoint, _plan.ReplyChannel, _plan.Run, Options.Streams, end);
        if (probes.Places is { } places)
            ConsumerLog.AnsweringProbes(run.Logger, places);
    }
}
