using System.Text.Json.Nodes;
using RedisLatency.Containers.Servers;
using RedisLatency.Fixtures;

namespace RedisLatency.Containers.Deploy;

/// <summary>All of <c>deploy/compose.yaml</c>, up and down; its password must be nowhere else.</summary>
public sealed class ComposeTests : ProductTest
{
    private const string Canary = "canary-7d1f-of-compose";
    private const string Prometheus = "localhost/prometheus";

    private static readonly string Password = RepositoryRoot.Combine("deploy", "redis-password");

    private readonly string _project = $"redislatency-test-{Environment.ProcessId}";

    [Theory(Explicit = true)]
    [InlineData("producer", "RESULT role=producer .* sent=50000 returned=50000 ")]
    [InlineData("load", @"RESULT role=workload .*lost=0 ")]
    public Task Job_MeasuresAndEnds_AndLeavesNothing(string service, string result) => InProject(async () =>
    {
        string[] profile = service == "producer" ? [] : ["--profile", service];
        string[] services = service == "producer" ? [] : [service];
        await using var up = Compose(
            [.. profile, "up", "--no-build", "--abort-on-container-exit", "--exit-code-from", service, .. services]);

        (await up.End()).ShouldBeOneOf([0, 4], up.ToString());
        up.Output.ToString().ShouldMatch(result);
        up.ToString().ShouldNotContain(Canary);
        await ShouldKeepTheSecret();
    });

    [Theory(Explicit = true)]
    [InlineData("consumer")]
    [InlineData("delay")]
    [InlineData("sync")]
    public Task Service_IsHealthy_AndDrainsWhenItIsStopped(string service) => InProject(async () =>
    {
        string[] profile = service == "consumer" ? [] : ["--profile", service];
        await Run([.. profile, "up", "--no-build", "-d", service]);
        var container = await ContainerOf(service);
        await Eventually.Is(
            $"{service} is healthy", () => StateOf(container)["Health"]!["Status"]!.ToString() == "healthy");
        if (service == "sync")
            await ShouldCopy();

        await Run([.. profile, "stop", service]);

        var state = StateOf(container);
        state["ExitCode"]!.GetValue<int>().ShouldBe(143, await DockerCommand.Script($"docker logs {container} 2>&1"));
        var said = await DockerCommand.Script($"docker logs {container} 2>&1");
        said.ShouldContain("RESULT role=");
        said.ShouldNotContain(Canary);
        await ShouldKeepTheSecret();
    });

    /// <summary>By the services' names, whatever their addresses are; its files are deploy/monitoring's.</summary>
    [Fact(Explicit = true)]
    public Task Prometheus_AsksAllServices_AndHasTheRules() => InProject(async () =>
    {
        await Require(Prometheus, "tests/images monitoring");
        string[] profiles = ["--profile", "monitoring", "--profile", "delay", "--profile", "sync"];
        await Run([.. profiles, "up", "--no-build", "-d", "prometheus", "consumer", "delay", "sync"]);
        var container = await ContainerOf("prometheus");
        var address = new Uri($"http://{(await DockerCommand.Run("port", container, "9090")).Trim()}");
        using var client = new HttpClient();

        await Eventually.Is("all services are asked", () => NamesWhere("up == 1") == "consumer delay sync");
        (await client.GetStringAsync(new Uri(address, "/api/v1/rules"), TestContext.Current.CancellationToken))
            .ShouldContain("\"InstanceGone\"");
        await ShouldKeepTheSecret();
        await Run([.. profiles, "stop", "prometheus"]);
        StateOf(container)["ExitCode"]!.GetValue<int>().ShouldBe(0);

        string NamesWhere(string query)
        {
            try
            {
                var reply = client.GetStringAsync(
                    new Uri(address, $"/api/v1/query?query={Uri.EscapeDataString(query)}")).GetAwaiter().GetResult();
                return string.Join(' ', JsonNode.Parse(reply)!["data"]!["result"]!.AsArray()
                    .Select(found => $"{found!["metric"]!["instance"]}").Order(StringComparer.Ordinal));
            }
            catch (HttpRequestException failure)
            {
                return failure.Message;
            }
        }
    });

    private static JsonNode StateOf(string container) => Inspect(container)["State"]!;

    private static JsonNode Inspect(string container) =>
        JsonNode.Parse(DockerCommand.Run("inspect", container).GetAwaiter().GetResult())![0]!;

    private async Task ShouldCopy()
    {
        const string Redis = "REDISCLI_AUTH=$(cat /run/secrets/redis-password) redis-cli";
        await DockerCommand.Run("exec", await ContainerOf("redis"), "sh", "-c", $"{Redis} set key value");
        var target = await ContainerOf("target");
        await Eventually.Is("the key is there", () => DockerCommand.Run(
            "exec", target, "sh", "-c", $"{Redis} get key").GetAwaiter().GetResult().Trim() == "value");
    }

    // Not in what the engine tells of containers and images, nor in what was written.
    private async Task ShouldKeepTheSecret()
    {
        var containers = (await DockerCommand.Run(
            "ps", "-aq", "--filter", $"label=com.docker.compose.project={_project}"))
            .Split('\n', StringSplitOptions.RemoveEmptyEntries);
        containers.Length.ShouldBeGreaterThan(1);
        foreach (var container in containers)
        {
            Inspect(container).ToJsonString().ShouldNotContain(Canary);
            // What it wrote, on its volume too; the secret itself is a mount of the engine.
            (await DockerCommand.Script(
                $"{{ docker export {container}; docker cp {container}:/out - 2>&1; }} | grep -ac {Canary} || true"))
                .Trim().ShouldBe("0");
        }
    }

    private async Task InProject(Func<Task> test)
    {
        await RequireImage();
        var isOurs = !File.Exists(Password);
        if (isOurs)
            await File.WriteAllTextAsync(Password, $"{Canary}\n", TestContext.Current.CancellationToken);
        try
        {
            await test();
        }
        finally
        {
            await using var down = Compose(
                "--profile", "load", "--profile", "delay", "--profile", "sync", "--profile", "monitoring", "down",
                "--volumes");
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

    private async Task<string> ContainerOf(string service) => (await DockerCommand.Run(
        "ps", "-aq", "--filter", $"label=com.docker.compose.project={_project}",
        "--filter", $"label=com.docker.compose.service={service}")).Trim();

    private async Task Run(params string[] arguments)
    {
        await using var compose = Compose(arguments);
        (await compose.End()).ShouldBe(0, compose.ToString());
    }

    private ServiceProcess Compose(params string[] arguments) => DockerCommand.Compose(
        // Of no port in particular, on this machine any.
        new Dictionary<string, string>
        {
            ["REDIS_IMAGE"] = ServerImages.First,
            ["PROMETHEUS_IMAGE"] = Prometheus,
            ["PROMETHEUS_PORT"] = string.Empty,
        },
        ["-p", _project, "-f", RepositoryRoot.Combine("deploy", "compose.yaml"), .. arguments]);
}
