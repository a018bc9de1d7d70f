using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Containers.Servers;

namespace RedisLatency.Containers.Deploy;

/// <summary>The image of <c>deploy/Containerfile</c>, run as its users run it.</summary>
public sealed partial class ImageTests : ProductTest
{
    private const long MostBytes = 60_000_000;

    private static readonly string[] Locked =
        ["--rm", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];

    [Fact(Explicit = true)]
    public async Task Image_RunsAsNobodyInAReadOnlyRoot_AndKeepsItsResults()
    {
        await RequireImage();
        var volume = (await DockerCommand.Run("volume", "create")).Trim();
        try
        {
            string[] run = ["run", .. Locked, "-v", $"{volume}:/out"];

            var printed = await DockerCommand.Run(
                [.. run, Image, "producer", "--duration", "1s", "--rate", "500", "-q"]);
            var listed = await DockerCommand.Run([.. run, Image, "report", "list", "/out"]);
            var folder = ResultsFolder().Match(listed).Value;
            var shown = await DockerCommand.Run([.. run, Image, "show", $"/out/{folder}"]);

            printed.ShouldContain(" sent=500 returned=500 ");
            shown.ShouldContain("asked 500, sent 500, returned 500");
        }
        finally
        {
            await DockerCommand.Run("volume", "rm", volume);
        }
    }

    /// <summary>As large as a registry shows it, unpacked: the program is two thirds of it.</summary>
    [Fact(Explicit = true)]
    public async Task Image_IsSmall_OfNoUserWithRights_AndHasNoProgramButOurs()
    {
        await RequireImage();

        var image = JsonNode.Parse(await DockerCommand.Run("image", "inspect", Image))![0]!;
        var container = (await DockerCommand.Run("create", Image)).Trim();
        var files = await DockerCommand.Script($"docker export {container} | tar -tv; docker rm {container}");

        image["Size"]!.GetValue<long>().ShouldBeLessThan(MostBytes);
        image["Config"]!["User"]!.GetValue<string>().ShouldBe("1654");
        // The engine has files of its own there, without content.
        files.Split('\n').Where(line => Program().IsMatch(line) && !line.Contains(".so", StringComparison.Ordinal))
            .ShouldHaveSingleItem().ShouldEndWith(" tool/redis-latency");
    }

    [Fact(Explicit = true)]
    public async Task Image_HasTheVersionAndCommitThatItsLabelsName()
    {
        await RequireImage();

        var labels = JsonNode.Parse(await DockerCommand.Run("image", "inspect", Image))![0]!["Config"]!["Labels"]!;
        var version = await DockerCommand.Run("run", "--rm", Image, "--version");

        var commit = labels["org.opencontainers.image.revision"]!.GetValue<string>();
        commit.Length.ShouldBe(40);
        version.ShouldStartWith(
            $"RedisLatency {labels["org.opencontainers.image.version"]}, commit {commit[..12]}, ", Case.Sensitive);
    }

    [Theory(Explicit = true)]
    [InlineData("producer")]
    [InlineData("consumer")]
    [InlineData("load")]
    [InlineData("replication")]
    [InlineData("sync")]
    [InlineData("lab")]
    [InlineData("show")]
    public async Task Image_HasEveryCommand(string command)
    {
        await RequireImage();

        (await DockerCommand.Run("run", "--rm", Image, command, "--help")).ShouldContain($"redis-latency {command}");
    }

    // Lua's library is a file beside the program.
    [Fact(Explicit = true)]
    public async Task Image_RunsFunctionsInLua()
    {
        await RequireImage();
        var source = await StartServer(ServerImages.First);
        var target = await StartServer(ServerImages.First);
        source.Ask("SET", "key", "value");

        await DockerCommand.Run(
            [
                "run", .. Locked, "--tmpfs", "/out:uid=1654", Image, "scan",
                "--source", $"{source.Address}:6379", "--destination", $"{target.Address}:6379",
                "--function-code", "ARGV[2] = 'copy:' .. ARGV[2] shake.call(DB, ARGV)",
            ]);

        target.Ask("GET", "copy:key").ShouldBe("value");
    }

    [GeneratedRegex(@"^-rwx\S+ +\S+ +[1-9]")]
    private static partial Regex Program();

    [GeneratedRegex(@"\d{8}-\d{6}-\S+")]
    private static partial Regex ResultsFolder();
}
