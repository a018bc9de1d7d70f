namespace RedisLatency.Integration.BadInput;

/// <summary>What a run ends with when something does not hold, and which code wins where several would apply.</summary>
public sealed class VerdictTests
{
    private static readonly string[] Short = ["--redis", "in-process", "--rate", "0", "--iterations", "200", "--warmup", "0"];

    [Fact]
    public async Task Threshold_Held_EndsWith0() =>
        (await Run("--threshold", "rtt.p50<1h", "--threshold", "lost==0"))
            .ShouldReport(0, "thresholds=2/2");

    [Fact]
    public async Task Threshold_Missed_EndsWith99AndSaysByHowMuch() =>
        (await Run("--threshold", "rtt.min<1ns", "--threshold", "lost==0"))
            .ShouldReport(99, "✗ rtt.min < 1 ns   ", "✓ lost == 0   0", "thresholds=1/2");

    [Fact]
    public async Task Threshold_WithTooFewSamples_EndsWith4() =>
        (await Run("--threshold", "rtt.p99.9<1h"))
            .ShouldReport(4, "NOT VALID", "? rtt.p99.9 < 1 h   too few samples to say", "verdict=not-valid");

    [Fact]
    public async Task NotValid_OutranksAMissedThreshold() =>
        (await Run("--threshold", "rtt.p99.9<1h", "--threshold", "rtt.min<1ns")).ShouldReport(4, "thresholds=0/2");

    [Theory]
    [InlineData("rtt.min<1ns")]
    [InlineData("rtt.p99.9<1h")]
    public async Task UnwrittenResults_OutrankWhatWasMeasured(string threshold) =>
        (await Run("--threshold", threshold, "--out", "/dev/null/results"))
            .ShouldReport(6, "FILES\n  not written");

    [Fact]
    public async Task Processor_ThatIsNotThere_EndsWith3BeforeAnythingIsMeasured() =>
        (await Run("--cpu", "1000"))
            .ShouldBeRefused(3, "--cpu 1000: this process may not run on processor 1000", "it may on ");

    [Fact]
    public async Task ProcessorsHeldAwake_WhereThatIsNotPermitted_EndsWith3AndSaysWhy()
    {
        var outcome = await Outcome.OfShell(
            """
            [ -w /dev/cpu_dma_latency ] && AS='setpriv --reuid=65534 --clear-groups'
            $AS test -x "$PROGRAM" || { echo nobody may read the program >&2; exit 77; }
            cd / && exec $AS "$PROGRAM" producer --cpu-dma-latency 0
            """);
        Assert.SkipWhen(outcome.ExitCode == 77, outcome.Errors);

        outcome.ShouldBeRefused(3, "--cpu-dma-latency 0: ", "/dev/cpu_dma_latency");
    }

    private static Task<Outcome> Run(params string[] arguments) => Outcome.Of("Producer", [.. Short, .. arguments]);
}
