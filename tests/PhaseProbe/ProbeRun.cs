using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;

namespace RedisLatency.PhaseProbe;

/// <summary>A run that measures nothing and says where it is: <c>phase Measure</c>, one line each.</summary>
internal sealed class ProbeRun(ProbeScript script, RunContext run)
{
    private static readonly TimeSpan LimitAgainstHangs = TimeSpan.FromMinutes(2);

    public int Run()
    {
        Live(RunPhase.Resolve);
        for (var phase = RunPhase.Connect; phase <= RunPhase.WarmUp; phase++)
        {
            run.Enter(phase);
            Live(phase);
        }

        run.Enter(RunPhase.Measure);
        run.Attempt(() => Live(RunPhase.Measure));
        run.Drain(Drain);
        run.Enter(RunPhase.Report);
        Live(RunPhase.Report);
        var phases = string.Join(',', run.Phases.Select(record => record.Phase));
        Say($"report exit={run.ExitCode} phases={phases}");
        Say($"thread {Thread.CurrentThread.Name} pool={Thread.CurrentThread.IsThreadPoolThread}");
        return run.Output.IsClosed ? ExitCode.ResultsNotWritten : script.Verdict;
    }

    private void Drain()
    {
        Live(RunPhase.Drain);
        using var deadline = new ManualResetEventSlim();
        deadline.Wait(script.Drain);
        Say("drained");
    }

    private void Live(RunPhase phase)
    {
        Say($"phase {phase}");
        if (script.Throw == phase && script.On is not null)
            ThrowElsewhere();
        if (script.Hold == phase)
            Wait(phase);
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

    private void Wait(RunPhase phase)
    {
        using var live = phase == RunPhase.Measure ? new ProbeLive(script.Live, run) : null;
        if (phase is RunPhase.Drain or RunPhase.Report)
            Console.In.ReadLine();
        else
            run.Stop.WaitUntilRequested(LimitAgainstHangs);
    }

    private Exception Failure() => script.Failure switch
    {
        "refused" => new RunRefusedException("no consumer answered"),
        "ours" => new RunRefusedException("this tool refuses") { HoldsInMeasure = true },
        "lost" => new TargetLostException("the server went away"),
        "reply" => new RedisServerException("ERR the server's words"),
        "redis" => new RedisConnectionLostException("connection closed by server"),
        "memory" => new InsufficientMemoryException(),
        "io" => new IOException("No space left on device"),
        _ => new InvalidOperationException("a bug"),
    };

    private void Say(string line)
    {
        run.Output.WriteLine(line.ToString(CultureInfo.InvariantCulture));
        run.Output.Flush();
    }
}
