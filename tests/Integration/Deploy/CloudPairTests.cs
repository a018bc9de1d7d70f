using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;

namespace RedisLatency.Integration.Deploy;

/// <summary>The instances of the machines of clouds are a pair that measures.</summary>
public sealed class CloudPairTests : PairTest
{
    /// <summary>With servers and addresses of this machine, and in a second.</summary>
    [Theory]
    [InlineData("azure")]
    [InlineData("aws")]
    public async Task Pair_OfTheInstances_Measures(string cloud)
    {
        var port = FreePort.Next();
        var consumer = Start((await CloudMachines.Of(cloud, "consumer")).Instance, port);
        await consumer.Errors.WaitFor("Serving");
        var producer = Start((await CloudMachines.Of(cloud, "producer")).Instance, port);

        (await producer.End()).ShouldBeOneOf([0, 4], producer.ToString());
        producer.Output.ToString().ShouldMatch("RESULT role=producer .* sent=200 returned=200 ");
        producer.Output.ToString().ShouldContain($"udp://127.0.0.1:{port}");
        // A machine too busy for the schedule makes it invalid (4).
        (await consumer.EndBy("TERM")).ShouldBeOneOf([4, 143], consumer.ToString());
    }

    private ServiceProcess Start(UnitSample instance, int port)
    {
        var command = string.Join(' ', instance.Command.Split(' ').Select(word => word.Split('=')[0] switch
        {
            "--probe" => $"--probe=udp://127.0.0.1:{port}",
            "--duration" => "--duration=1s --warmup=1s",
            _ => word,
        }));
        var settings = new Dictionary<string, string>(instance.Settings)
        {
            ["REDISLATENCY__Redis__Endpoint"] = Server.Uri,
            ["REDISLATENCY__Telemetry__Metrics"] = "http://127.0.0.1:0",
        };
        return Own(ServiceProcess.StartShell($"exec \"$PROGRAM\" {command} --live none", settings));
    }
}
