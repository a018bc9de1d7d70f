using RedisLatency.Containers.Servers;

namespace RedisLatency.Containers.Jobs;

/// <summary>String operations on a server in a container.</summary>
public sealed class WorkloadTests : ContainerTest
{
    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task LoadAndRun_MissNoRecord(string image)
    {
        var server = await StartServer(image);

        var loaded = await RecordOf(
            StartService("Workloads", "load", "--records", "2000", "--redis", server.Uri), 0, 4);
        var run = await RecordOf(
            StartService(
                "Workloads", "run", "--records", "2000", "--operations", "5000", "--warmup", "0s", "--redis",
                server.Uri),
            0, 4);

        CountOf(loaded, "returned").ShouldBe(2_000);
        CountOf(run, "returned").ShouldBe(5_000);
        CountOf(run, "misses").ShouldBe(0);
    }
}
