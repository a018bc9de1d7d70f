namespace RedisLatency.Hosting.Running;

/// <summary>Signals sent to a real process, in every phase.</summary>
public sealed class SignalTests
{
    public static TheoryData<string, int, RunPhase> EverySignalInEveryPhaseBeforeDrain()
    {
        var cases = new TheoryData<string, int, RunPhase>();
        foreach (var phase in Enum.GetValues<RunPhase>().Where(phase => phase < RunPhase.Drain))
        {
            cases.Add("INT", ExitCode.Interrupted, phase);
            cases.Add("TERM", ExitCode.Terminated, phase);
            cases.Add("HUP", ExitCode.Terminated, phase);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(EverySignalInEveryPhaseBeforeDrain))]
    public async Task Signal_BeforeDrain_ReportsWhatThereIs(string signal, int exitCode, RunPhase phase)
    {
        SkipWhereThereAreNone();
        using var probe = new ProbeProcess($"hold={phase}");
        await probe.ReadUntil($"phase {phase}");

        probe.Signal(signal);

        (await probe.End()).ShouldBe(exitCode, string.Join('\n', probe.Errors));
        if (phase == RunPhase.Measure)
        {
            var phases = string.Join(',', Enum.GetValues<RunPhase>());
            probe.Lines.ShouldContain($"report exit={exitCode} phases={phases}");
        }
        else
        {
            probe.Lines.ShouldNotContain("phase Drain");
            probe.Lines[^1].ShouldBe($"phase {phase}");
            probe.Errors.ShouldContain(line => line.Contains($"Stopped in {phase}: nothing was measured."));
        }

        probe.Errors.ShouldContain(line => line.Contains($"SIG{signal}: draining and reporting what there is"));
    }

    [Theory]
    [InlineData("INT", ExitCode.Interrupted)]
    [InlineData("TERM", ExitCode.Terminated)]
    [InlineData("HUP", ExitCode.Terminated)]
    public async Task Signal_InDrain_DoesNotCutIt(string signal, int exitCode)
    {
        SkipWhereThereAreNone();
        using var probe = new ProbeProcess("hold=Drain");
        await probe.ReadUntil("phase Drain");

        probe.Signal(signal);
        await probe.ReadErrorsUntil("a second signal ends at once");
        probe.Continue();

        (await probe.End()).ShouldBe(exitCode);
        probe.Lines.ShouldContain("drained");
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Signal_InReport_ComesTooLateToChangeAnything(string signal)
    {
        SkipWhereThereAreNone();
        using var probe = new ProbeProcess("hold=Report", "verdict=99");
        await probe.ReadUntil("phase Report");

        probe.Signal(signal);
        await probe.ReadErrorsUntil("a second signal ends at once");
        probe.Continue();

        (await probe.End()).ShouldBe(ExitCode.ThresholdMissed);
        probe.Lines.ShouldContain(line => line.StartsWith("report exit=0 ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Drain_LongerThanTheTimeFrameworksGive_IsNotCut()
    {
        using var probe = new ProbeProcess("hold=Measure", "drain=5");
        await probe.ReadUntil("phase Measure");

        probe.Signal("TERM");

        (await probe.End()).ShouldBe(ExitCode.Terminated);
        probe.Lines.ShouldContain("drained");
        probe.Lines.ShouldContain("phase Report");
    }

    [Theory]
    [InlineData(RunPhase.Drain, "TERM", "HUP", ExitCode.Terminated)]
    [InlineData(RunPhase.Drain, "HUP", "INT", ExitCode.Interrupted)]
    [InlineData(RunPhase.Report, "INT", "TERM", ExitCode.Terminated)]
    public async Task SecondSignal_EndsAtOnce(RunPhase phase, string first, string second, int exitCode)
    {
        SkipWhereThereAreNone();
        using var probe = new ProbeProcess($"hold={phase}");
        await probe.ReadUntil($"phase {phase}");

        probe.Signal(first);
        await probe.ReadErrorsUntil("a second signal ends at once");
        probe.Signal(second);

        (await probe.End()).ShouldBe(exitCode);
        probe.Lines[^1].ShouldBe($"phase {phase}");
    }

    private static void SkipWhereThereAreNone() =>
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such signals.");
}
