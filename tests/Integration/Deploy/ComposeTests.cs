using RedisLatency.Fixtures;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>The compose file names nothing that is not there, and its commands do what they are for.</summary>
public sealed class ComposeTests : IDisposable
{
    private const string Secret = "/run/secrets/redis-password";

    private static readonly string[] Ours = ["consumer", "producer"];
    private static readonly string Folder = RepositoryRoot.Combine("deploy");

    private static readonly YamlMappingNode Services = Map(Read(), "services");

    private readonly string _password = Path.GetTempFileName();

    [Fact]
    public void Services_AreAPairAndAServer() =>
        Services.Children.Keys.Select(Text).ShouldBe(["redis", "consumer", "producer"], ignoreOrder: true);

    [Theory]
    [InlineData("consumer")]
    [InlineData("producer")]
    public Task Command_OfAService_HasOnlyOptionsThatTheToolHas(string name) =>
        BuiltTool.ShouldHaveTheOptionsOf([.. Words(Service(name)["command"])]);

    [Fact]
    public async Task Commands_MeasureAPairOnAServerWithAPassword()
    {
        ServerRequirement.Require("redis-server");
        var port = FreePort.Next();
        await File.WriteAllTextAsync(_password, "of the pair\n", TestContext.Current.CancellationToken);

        await using var server = ServiceProcess.StartScript("env", [.. CommandOf("redis", port)]);
        await server.Output.WaitFor("Ready to accept connections");
        await using var check = ServiceProcess.StartShell(
            Here(Words(Map(Service("redis"), "healthcheck")["test"]).Last(), port));
        (await check.End()).ShouldBe(0, check.ToString());
        await using var consumer = BuiltTool.Start([.. CommandOf("consumer", port)]);
        await consumer.Errors.WaitFor("Serving");
        await using var producer = BuiltTool.Start([.. CommandOf("producer", port), "--rate=100"]);

        // A machine too busy for the schedule makes a run invalid, which is not the question here.
        (await producer.End()).ShouldBeOneOf([0, 4], producer.ToString());
        producer.Output.ToString().ShouldContain("returned");
    }

    [Fact]
    public void Services_OfOurs_AreOneImageAndKeepTheirResults()
    {
        var volumes = Map(Read(), "volumes").Children.Keys.Select(Text).ToArray();
        foreach (var name in Ours)
        {
            Text(Service(name)["image"]).ShouldBe("redis-latency");
            var build = Map(Service(name), "build");
            var context = Path.GetFullPath(Path.Combine(Folder, Text(build["context"])));
            var image = File.ReadAllText(Path.Combine(context, Text(build["dockerfile"])));
            foreach (var argument in Map(build, "args").Children.Keys)
                image.ShouldContain($"ARG {Text(argument)}=");

            var mount = Words(Service(name)["volumes"]).ShouldHaveSingleItem().Split(':');
            volumes.ShouldContain(mount[0]);
            image.ShouldContain($"VOLUME {mount[1]}\n");
            Text(Service(name)["user"]).ShouldStartWith(image.Split("USER ")[1].Split('\n')[0] + ':');
            image.ShouldContain($"\"{string.Join("\", \"", Words(Map(Service(name), "healthcheck")["test"]).Skip(1))}\"]");
        }
    }

    [Theory]
    [InlineData("redis")]
    [InlineData("consumer")]
    [InlineData("producer")]
    public void Services_MayDoNothingThatTheyNeedNot(string name)
    {
        var service = Service(name);

        Text(service["read_only"]).ShouldBe("true");
        Words(service["cap_drop"]).ShouldBe(["ALL"]);
        Words(service["security_opt"]).ShouldBe(["no-new-privileges:true"]);
        Text(service["user"]).ShouldNotStartWith("0");
        Words(service["secrets"]).ShouldBe(Map(Read(), "secrets").Children.Keys.Select(Text));
    }

    [Fact]
    public void Services_WaitForServicesThatAreThere()
    {
        foreach (var service in Services.Children.Values.Cast<YamlMappingNode>())
        {
            if (service.Children.TryGetValue("depends_on", out var needed))
                ((YamlMappingNode)needed).Children.Keys.ShouldBeSubsetOf(Services.Children.Keys);
        }
    }

    public void Dispose() => File.Delete(_password);

    private IEnumerable<string> CommandOf(string name, int port) =>
        Words(Service(name)["command"]).Select(word => Here(word, port));

    // What the containers' network, secrets and time are here.
    private string Here(string word, int port) => word
        .Replace("$$", "$", StringComparison.Ordinal)
        .Replace(Secret, _password, StringComparison.Ordinal)
        .Replace("redis:6379", $"127.0.0.1:{port}", StringComparison.Ordinal)
        .Replace("redis-server -", $"redis-server - --port {port}", StringComparison.Ordinal)
        .Replace("redis-cli", $"redis-cli -p {port}", StringComparison.Ordinal)
        .Replace("--duration=10s", "--duration=1s", StringComparison.Ordinal)
        .Replace(":9121", ":0", StringComparison.Ordinal);

    private static IEnumerable<string> Words(YamlNode list) => ((YamlSequenceNode)list).Select(Text);

    private static YamlMappingNode Service(string name) => Map(Services, name);

    private static YamlMappingNode Map(YamlMappingNode parent, string key) => (YamlMappingNode)parent[key];

    private static string Text(YamlNode node) => ((YamlScalarNode)node).Value!;

    private static YamlMappingNode Read()
    {
        var stream = new YamlStream();
        using var file = File.OpenText(Path.Combine(Folder, "compose.yaml"));
        stream.Load(new MergingParser(new Parser(file)));
        return (YamlMappingNode)stream.Documents.ShouldHaveSingleItem().RootNode;
    }
}
