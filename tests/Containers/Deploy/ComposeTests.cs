using RedisLatency.Containers.Servers;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Deploy;

/// <summary>The pair of <c>deploy/compose.yaml</c>, brought up and down.</summary>
public sealed class ComposeTests : ProductTest
{
    private static readonly string Password = RepositoryRoot.Combine("deploy", "redis-password");

    private readonly string _project = $"redislatency-test-{Environment.ProcessId}";

    [Fact(Explicit = true)]
    public async Task Pair_MeasuresAndEnds_AndLeavesNothing()
    {
        await RequireImage();
        var isOurs = !File.Exists(Password);
        if (isOurs)
            await File.WriteAllTextAsync(Password, "of the pair\n", TestContext.Current.CancellationToken);
        try
        {
            await using var up = Compose(
                "up", "--no-build", "--abort-on-container-exit", "--exit-code-from", "producer");

            (await up.End()).ShouldBeOneOf([0, 4], up.ToString());
            up.Output.ToString().ShouldMatch("RESULT role=producer .* sent=50000 returned=50000 ");
        }
        finally
        {
            await using var down = Compose("down", "--volumes");
            (await down.End()).ShouldBe(0, down.ToString());
            if (isOurs)
                File.Delete(Password);
        }

        foreach (var kind in new[] { "container", "volume", "network" })
        {
            (await DockerCommand.Run(
                kind, "ls", "--quiet", "--filter", $"label=com.docker.compose.project={_project}"))
                .ShouldBeEmpty();
        }
    }

    private ServiceProcess Compose(params string[] arguments) => DockerCommand.Compose(
        new Dictionary<string, string> { ["REDIS_IMAGE"] = ServerImages.First },
        ["-p", _project, "-f", RepositoryRoot.Combine("deploy", "compose.yaml"), .. arguments]);
}
