using RedisLatency.Fixtures;
using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>The compose file names nothing that is not there.</summary>
public sealed class ComposeTests
{
    private static readonly string Folder = RepositoryRoot.Combine("deploy");

    private static readonly YamlMappingNode Services = Map(Read(), "services");

    [Fact]
    public void Services_AreAPairAndAServer() =>
        Services.Children.Keys.Select(Text).ShouldBe(["redis", "consumer", "producer"], ignoreOrder: true);

    [Theory]
    [InlineData("consumer")]
    [InlineData("producer")]
    public async Task Command_OfAService_HasOnlyOptionsThatItHas(string name)
    {
        var project = Text(Map(Map(Service(name), "build"), "args")["SERVICE"]);
        await using var help = ServiceProcess.Start(project, "--help");
        (await help.End()).ShouldBe(0);

        var options = ((YamlSequenceNode)Service(name)["command"]).Select(Text)
            .Where(word => word.StartsWith("--", StringComparison.Ordinal)).ToArray();

        options.ShouldNotBeEmpty();
        foreach (var option in options)
            help.Output.ToString().ShouldContain($"{option} ", Case.Sensitive);
    }

    [Fact]
    public void Services_OfOurs_AreBuiltFromFilesThatAreThereAndKeepTheirResults()
    {
        var volumes = Map(Read(), "volumes").Children.Keys.Select(Text).ToArray();
        foreach (var name in new[] { "consumer", "producer" })
        {
            var build = Map(Service(name), "build");
            var context = Path.GetFullPath(Path.Combine(Folder, Text(build["context"])));
            File.Exists(Path.Combine(context, Text(build["dockerfile"]))).ShouldBeTrue();
            Directory.Exists(Path.Combine(context, "src", Text(Map(build, "args")["SERVICE"]))).ShouldBeTrue();

            var mount = ((YamlSequenceNode)Service(name)["volumes"]).Select(Text).ShouldHaveSingleItem().Split(':');
            volumes.ShouldContain(mount[0]);
            File.ReadAllText(Path.Combine(context, Text(build["dockerfile"]))).ShouldContain($"VOLUME {mount[1]}\n");
        }
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

    private static YamlMappingNode Service(string name) => Map(Services, name);

    private static YamlMappingNode Map(YamlMappingNode parent, string key) => (YamlMappingNode)parent[key];

    private static string Text(YamlNode node) => ((YamlScalarNode)node).Value!;

    private static YamlMappingNode Read()
    {
        var stream = new YamlStream();
        using var file = File.OpenText(Path.Combine(Folder, "compose.yaml"));
        stream.Load(file);
        return (YamlMappingNode)stream.Documents.ShouldHaveSingleItem().RootNode;
    }
}
