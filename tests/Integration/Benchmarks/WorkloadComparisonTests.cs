namespace RedisLatency.Integration.Benchmarks;

public sealed class WorkloadComparisonTests : IDisposable
{
    private readonly ComparisonRun _comparison = new();

    public void Dispose() => _comparison.Dispose();

    [Theory]
    [InlineData("1.05", "1.050 to 1.050 | 1.10: met", 0)]
    [InlineData("1.5", "1.500 to 1.500 | 1.10: not met", 99)]
    public async Task Ratio_AndItsInterval_AreHeldAgainstTheBound(string cost, string expected, int exitCode)
    {
        var ended = await _comparison.Run(
            "workloads", "--product", _comparison.WriteProduct(cost), "--against", "one-thread", "--pairs", "10",
            "--seconds", "0.1");

        ended.Output.ShouldContain($"| one-thread | P1, 25 each | {cost}", Case.Sensitive, ended.Errors);
        ended.Output.ShouldContain(expected);
        ended.ExitCode.ShouldBe(exitCode);
    }

    [Theory]
    [InlineData("1.04", 2, "1.040 to 1.040 | 1.05: met | 5.200 and 5.000", 0)]
    [InlineData("1.06", 2, "1.060 to 1.060 | 1.05: not met | 5.300 and 5.000", 99)]
    [InlineData("1.04", 1, "metrics were pushed 1 times in a run", 1)]
    public async Task CostOfPushing_IsThatOfTheThreadThatMeasures(
        string cost, int pushes, string expected, int exitCode)
    {
        var ended = await _comparison.Run(
            "workloads", "--product", _comparison.WriteProduct(cost, pushes), "--against", "otlp", "--pairs", "6");

        $"{ended.Output}{ended.Errors}".ShouldContain(expected);
        ended.ExitCode.ShouldBe(exitCode);
    }

    [Fact]
    public async Task Ycsb_WhoseBindingWritesNoStrings_IsNotCompared()
    {
        var script = _comparison.Write("ycsb/bin/ycsb.sh", "exit 0");

        var ended = await _comparison.Run(
            "workloads", "--product", _comparison.WriteProduct("1"), "--against", "ycsb", "--ycsb",
            Path.GetDirectoryName(Path.GetDirectoryName(script))!);

        ended.Errors.ShouldContain("not strings: it does not know redis.command_group=string");
        ended.ExitCode.ShouldBe(3);
    }

    [Theory]
    [InlineData("--pairs", "0")]
    [InlineData("--seconds", "0")]
    [InlineData("--against", "nobody")]
    public async Task WrongUsage_IsRefused(string option, string value)
    {
        var ended = await _comparison.Run("workloads", option, value);

        ended.Errors.ShouldContain(option);
        ended.ExitCode.ShouldBe(2);
    }
}
