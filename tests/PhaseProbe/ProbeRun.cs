using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;

namespace RedisLatency.PhaseProbe;

/// <summary>A run that measures nothing and says where it is: <c>phase Measure</c>, one line each.</summary>
internal sealed class ProbeRun(ProbeScript script, StandardOutput output, Diagnostics diagnostics) : IMeasuredRun
{
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(2);

    public void Resolve(RunContext context) => Enter(RunPhase.Resolve, context);

    public void Connect(RunContext context) => Enter(RunPhase.Connect, context);

    public void Calibrate(RunContext context) => Enter(RunPhase.Calibrate, context);

    public void Rendezvous(RunContext context) => Enter(RunPhase.Rendezvous, context);

    public void WarmUp(RunContext context) => Enter(RunPhase.WarmUp, context);

    public void Measure(RunContext context) => Enter(RunPhase.Measure, context);

    public void Drain(RunContext context)
    {
        Enter(RunPhase.Drain, context);
        using var deadline = new ManualResetEventSlim();
        deadline.Wait(script.Drain);
        Say("drained");
    }

    public int Report(RunContext context)
    {
        Enter(RunPhase.Report, context);
        var phases = string.Join(',', context.Phases.Select(record => record.Phase));
        Say($"report exit={context.ExitCode} measured={context.HasMeasured} phases={phases}");
        Say($"thread {Thread.CurrentThread.Name} pool={Thread.CurrentThread.IsThreadPoolThread}");
        return output.IsClosed ? ExitCode.ResultsNotWritten : script.Verdict;
    }

    private void Enter(RunPhase phase, RunContext context)
    {
        Say($"phase {phase}");
        if (script.Throw == phase && script.On is not null)
            ThrowElsewhere();
        if (script.Hold == phase)
            Wait(phase, context);
        if (script.Throw == phase && script.On is null)
            throw Failure();
    }

    private void ThrowElsewhere()
    {
        switch (script.On)
        {
            case "thread":
                new Thread(() => throw Failure()).Start();
                break;
            case "timer":
                // Made without a state it keeps itself alive.
                new Timer(_ => throw Failure()).Change(1, Timeout.Infinite);
                break;
            default:
                ThreadPool.UnsafeQueueUserWorkItem(_ => throw Failure(), null);
                break;
        }
    }

    private void Wait(RunPhase phase, RunContext context)
    {
        using var live = phase == RunPhase.Measure ? new ProbeLive(script.Live, output, diagnostics, context) : null;
        if (phase is RunPhase.Drain or RunPhase.Report)
            Console.In.ReadLine();
        else
            context.Stop.WaitUntilRequested(LimitAgainstHangs);
    }

    private Exception Failure() => script.Failure switch
    {
        "refused" => new RunRefusedException("no consumer answered"),
        "lost" => new TargetLostException("the server went away"),
        "redis" => new RedisConnectionLostException("connection closed by server"),
        "memory" => new InsufficientMemoryException(),
        "io" => new IOException("No space left on device"),
        _ => new InvalidOperationException("a bug"),
    };

    private void Say(string line)
    {
        output.WriteLine(line.ToString(CultureInfo.InvariantCulture));
        output.Flush();
    }
}
