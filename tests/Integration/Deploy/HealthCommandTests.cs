using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;

namespace RedisLatency.Integration.Deploy;

/// <summary>The verb <c>health</c>, the image's check, asked about real services.</summary>
public sealed class HealthCommandTests : PairTest
{
    private readonly string _address = $"http://127.0.0.1:{FreePort.Next()}";

    /// <summary>Starting it again brings no server back: that is what /readyz is asked about.</summary>
    [Fact]
    public async Task Service_ThatLosesItsServer_IsWellAllTheSame()
    {
        var consumer = await StartConsumer("--metrics", _address);

        (await Check(consumer.ProcessId)).ShouldBe((0, "ok"));
        await Server.Kill();
        await consumer.Errors.WaitFor("connection was lost");

        (await Check(consumer.ProcessId)).ShouldBe((0, "ok"));
    }

    [Theory]
    [InlineData("--metrics=http://localhost:{0}/", null)]
    [InlineData("--live=none", "http://0.0.0.0:{0}")]
    public async Task Service_ThatIsToldItsAddressInAnotherWay_IsFoundThere(string option, string? variable)
    {
        var port = _address.Split(':')[^1];
        var environment = new Dictionary<string, string>();
        if (variable is not null)
            environment["REDISLATENCY__Telemetry__Metrics"] = variable.Replace("{0}", port, StringComparison.Ordinal);
        var consumer = Own(ServiceProcess.Start(
            "Consumer", environment, "--redis", Server.Uri, option.Replace("{0}", port, StringComparison.Ordinal)));
        await consumer.Errors.WaitFor("Serving");

        (await Check(consumer.ProcessId, environment)).ShouldBe((0, "ok"));
    }

    [Fact]
    public async Task Service_WithoutMetrics_IsWellAsLongAsItRuns() =>
        (await Check((await StartConsumer()).ProcessId)).ShouldBe((0, ""));

    [Fact]
    public async Task Service_ThatDoesNotAnswer_IsNotWell()
    {
        var (code, said) = await Check(
            Environment.ProcessId, new Dictionary<string, string> { ["REDISLATENCY__Telemetry__Metrics"] = _address });

        code.ShouldBe(1);
        said.ShouldContain("refused");
    }

    [Fact]
    public async Task Service_ThatIsOver_IsNotWell()
    {
        var consumer = await StartConsumer();
        await consumer.EndBy("TERM");

        (await Check(consumer.ProcessId)).ShouldBe((1, "there is no such process"));
    }

    // Its arguments are those of a process of its own.
    protected override ServiceProcess Start(string project, params string[] arguments) =>
        ServiceProcess.Start(project, arguments);

    private static async Task<(int Code, string Output)> Check(
        int process, IReadOnlyDictionary<string, string>? environment = null)
    {
        await using var check = ServiceProcess.Start(
            "Tool", environment ?? new Dictionary<string, string>(),
            "health", process.ToString(CultureInfo.InvariantCulture));
        return (await check.End(), check.Output.ToString());
    }
}
