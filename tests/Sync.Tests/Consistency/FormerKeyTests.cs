using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Consistency;

/// <summary>Of keys that the target had before the run, and that may be none of the source's.</summary>
public class FormerKeyTests
{
    private const string Former = "The target had 2 keys before";

    [Theory]
    [InlineData("Doubtful", "--on-existing", "rewrite")]
    [InlineData("Doubtful", "--on-existing", "skip")]
    [InlineData("Valid", "--empty-destination")]
    [InlineData("Valid", "--on-existing", "rewrite", "--no-data-set")]
    public async Task Stream_ToATargetThatHadKeys_MakesTheRunDoubtful(string verdict, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        Give(pair, "0");
        await using var process = pair.Sync(arguments);

        await process.Until(
            "it is there", () => pair.From.Execute("ROLE").Items[2].Items.Count == 1
                && pair.From.Execute("SET", "last", "1").Text == "OK" && pair.To.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        StatusOf(record).ShouldBe(verdict);
        Reasons(record).Contains(Former).ShouldBe(!arguments.Contains("--empty-destination"));
    }

    [Theory]
    [InlineData("sync", "--no-stream")]
    [InlineData("scan")]
    public async Task DataSetAlone_ToATargetThatHasKeys_IsValid_AndSaysHowMany(string verb, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        Give(pair, "0");
        pair.From.Execute("SET", "key", "1");

        var record = await SyncProcess.Run(
            verb, pair.Source.Uri, pair.Target.Uri, 0, [.. arguments, "--on-existing", "rewrite"]);

        StatusOf(record).ShouldBe("Valid");
        Reasons(record).ShouldContain($"{Former}: those that the source does not have are still there");
    }

    [Fact]
    public async Task CommandOfAFile_ToAClusterThatHasKeys_MakesTheRunDoubtful()
    {
        await using var target = await Ends.Start(isCluster: true);
        target.Execute("a", "SET", "a", "former");
        target.Execute("count", "SET", "count", "5");
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(
                file, "*2\r\n$4\r\nINCR\r\n$5\r\ncount\r\n", TestContext.Current.CancellationToken);
            await using var process = SyncProcess.StartFile("aof", file, target.Uri, "--on-existing", "rewrite");
            var (code, record) = await process.End().End(process);

            code.ShouldBe(0, process.ToString());
            StatusOf(record).ShouldBe("Doubtful");
            Reasons(record).ShouldContain(Former);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static void Give(SyncPair pair, string database)
    {
        pair.To.Execute("SELECT", database);
        pair.To.Execute("SET", "count", "5");
        pair.To.Execute("SET", "other", "1");
        pair.To.Execute("SELECT", "0");
    }

    private static string StatusOf(JsonNode record) => record["verdict"]!["status"]!.GetValue<string>();

    private static string Reasons(JsonNode record) => record["verdict"]!.ToJsonString();
}
