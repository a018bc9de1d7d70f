namespace RedisLatency.Hosting.Running;

/// <summary>Steps that throw, in a real process.</summary>
public sealed class FailureTests
{
    [Theory]
    [InlineData("refused", RunPhase.Rendezvous, ExitCode.Refused, "error: no consumer answered")]
    [InlineData("refused", RunPhase.Measure, ExitCode.TargetLost, "error: no consumer answered")]
    [InlineData("ours", RunPhase.Measure, ExitCode.Refused, "error: this tool refuses")]
    [InlineData("redis", RunPhase.Connect, ExitCode.Refused, "error: connection closed by server")]
    [InlineData("redis", RunPhase.Measure, ExitCode.TargetLost, "error: connection closed by server")]
    [InlineData("reply", RunPhase.Connect, ExitCode.Refused, "error: ERR the server's words")]
    [InlineData("reply", RunPhase.Measure, ExitCode.NotValid, "error: ERR the server's words")]
    [InlineData("lost", RunPhase.Measure, ExitCode.TargetLost, "error: the server went away")]
    [InlineData("memory", RunPhase.Connect, ExitCode.Refused, "error: this process cannot get more memory or threads: raise "
        + "its limits (ulimit -v, ulimit -u, the memory and pids of its container), or ask for less")]
    [InlineData("io", RunPhase.Report, ExitCode.ResultsNotWritten, "error: No space left on device")]
    public async Task ExpectedFailure_EndsWithItsCodeAndOneLine(
        string failure, RunPhase phase, int exitCode, string line)
    {
        using var probe = new ProbeProcess($"throw={phase}", $"failure={failure}");

        (await probe.End()).ShouldBe(exitCode);

        probe.Errors.ShouldBe([line]);
        probe.Lines.Contains("phase Drain").ShouldBe(phase >= RunPhase.Measure);
        probe.Lines.Contains("phase Report").ShouldBe(phase >= RunPhase.Measure);
    }

    [Fact]
    public async Task Fault_OfOurOwn_SkipsDrainAndStillReports()
    {
        using var probe = new ProbeProcess($"throw={RunPhase.Measure}", "failure=fault");

        (await probe.End()).ShouldBe(ExitCode.Fault);

        probe.Errors.ShouldHaveSingleItem().ShouldContain("InvalidOperationException: a bug");
        probe.Lines.ShouldNotContain("phase Drain");
        probe.Lines.ShouldContain(line => line.StartsWith("report exit=1 phases=", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("thread", "fault", ExitCode.Fault, "InvalidOperationException: a bug")]
    [InlineData("timer", "fault", ExitCode.Fault, "InvalidOperationException: a bug")]
    [InlineData("pool", "memory", ExitCode.Fault, "cannot get more memory or threads")]
    public async Task Failure_OnAnotherThread_EndsTheRunWhichDrainsAndReports(
        string thread, string failure, int exitCode, string line)
    {
        using var probe = new ProbeProcess(
            $"throw={RunPhase.Measure}", $"hold={RunPhase.Measure}", $"on={thread}", $"failure={failure}");

        (await probe.End()).ShouldBe(exitCode);

        probe.Errors.ShouldHaveSingleItem().ShouldContain(line);
        probe.Lines.ShouldContain("drained");
        probe.Lines.ShouldContain(line => line.StartsWith($"report exit={exitCode} phases=", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Verbose_TellsWhereAFaultCameFrom()
    {
        using var probe = new ProbeProcess($"throw={RunPhase.Measure}", "failure=fault", "verbosity=Verbose");

        (await probe.End()).ShouldBe(ExitCode.Fault);

        probe.Errors.ShouldContain(line => line.Contains("at RedisLatency.PhaseProbe.ProbeRun."));
    }

    [Fact]
    public async Task Failure_InResolve_ReportsNothing()
    {
        using var probe = new ProbeProcess($"throw={RunPhase.Resolve}", "failure=refused");

        (await probe.End()).ShouldBe(ExitCode.Refused);

        probe.Lines.ShouldBe(["phase Resolve"]);
    }

    [Fact]
    public async Task TargetLost_WithAThresholdMissed_EndsWithTheLoss()
    {
        using var probe = new ProbeProcess($"throw={RunPhase.Measure}", "failure=lost", "verdict=99");

        (await probe.End()).ShouldBe(ExitCode.TargetLost);
    }

    [Fact]
    public async Task Run_LivesEveryPhaseOnOneThreadOfItsOwn()
    {
        using var probe = new ProbeProcess("verbosity=Quiet");

        (await probe.End()).ShouldBe(ExitCode.Valid);

        probe.Errors.ShouldBeEmpty();
        probe.Lines.ShouldContain(
            "report exit=0 phases=Resolve,Connect,Calibrate,Rendezvous,WarmUp,Measure,Drain,Report");
        probe.Lines.ShouldContain("thread measure pool=False");
    }
}
