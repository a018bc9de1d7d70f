using Docker.DotNet.Models;
using DotNet.Testcontainers.Configurations;

namespace RedisLatency.Containers.Servers;

/// <summary>
/// An image that is not there, a server that does not start: a line that says what to do, and nothing left.
/// </summary>
public sealed class ServerProblemTests : ContainerTest
{
    [Fact]
    public async Task Image_OfThisMachineThatIsNotThere_IsNamed() =>
        (await ProblemOf("localhost/redis-latency-none:1")).ShouldMatch(
            "^The image localhost/redis-latency-none:1 cannot be had \\(.*\\): "
            + "make it, or name others by REDISLATENCY_TEST_IMAGES.$");

    [Fact]
    public async Task Image_OfARegistryThatIsNotThere_IsNamed() =>
        (await ProblemOf("127.0.0.1:1/redis-latency-none:1")).ShouldMatch(
            "^The image 127.0.0.1:1/redis-latency-none:1 cannot be had \\(.*connection refused.*\\): "
            + "pull it, or name others by REDISLATENCY_TEST_IMAGES.$");

    [Theory]
    [MemberData(nameof(ServerImages.All), MemberType = typeof(ServerImages))]
    public async Task Server_ThatDoesNotStart_SaysItsLastWordsAndIsGone(string image)
    {
        // Where the image itself is not there, that is another test's.
        await (await StartServer(image)).DisposeAsync();
        var mark = $"none-{Guid.NewGuid():N}";

        var problem = await ProblemOf(image, "--requirepass", mark, "--maxmemory", "much");

        problem.ShouldStartWith($"The server in the image {image} does not start: ");
        problem.ShouldContain("argument must be a memory value");
        (await Commands()).ShouldNotContain(command => command.Contains(mark, StringComparison.Ordinal));
    }

    private static async Task<string> ProblemOf(string image, params string[] arguments)
    {
        var problem = await Should.ThrowAsync<ServerUnavailableException>(ServerContainer.Start(image, arguments));
        problem.Message.ShouldNotContain('\n');
        return problem.Message;
    }

    private static async Task<IEnumerable<string>> Commands()
    {
        using var engine = TestcontainersSettings.OS.DockerEndpointAuthConfig.GetDockerClientBuilder().Build();
        var all = await engine.Containers.ListContainersAsync(
            new ContainersListParameters { All = true }, TestContext.Current.CancellationToken);
        return all.Select(one => one.Command);
    }
}
