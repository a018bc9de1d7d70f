using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Consistency;

/// <summary>Of keys that the target had before the run, and that may be none of the source's.</summary>
public class FormerKeyTests
{
    private const string Former = "The target had 2 keys before";

    [Theory]
    [InlineData("rewrite", "0", "Doubtful")]
    [InlineData("skip", "0", "Doubtful")]
    [InlineData("rewrite", "1", "Valid")]
    public async Task Command_InADatabaseThatHadKeys_MakesTheRunDoubtful(string choice, string database, string verdict)
    {
        await using var pair = await SyncPair.Start();
        Give(pair, database);
        await using var process = await pair.SyncFirst("--on-existing", choice);

        pair.From.Execute("INCR", "count");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);

        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        StatusOf(record).ShouldBe(verdict);
        Reasons(record).Contains(Former).ShouldBe(verdict != "Valid");
    }

    [Fact]
    public async Task FormerKeys_OfADatabaseThatTheSourceEmptied_AreNotSaidToBeThere()
    {
        await using var pair = await SyncPair.Start();
        Give(pair, "0");
        await using var process = await pair.SyncFirst("--on-existing", "rewrite");

        pair.From.Execute("FLUSHDB");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);

        Reasons((await process.EndBy("INT").End(process)).Record)
            .ShouldContain("are still there, unless it emptied their database");
    }

    [Theory]
    [InlineData("MOVE", "last", "1")]
    [InlineData("SWAPDB", "1", "2")]
    public async Task Command_ThatNamesADatabaseThatHadKeys_MakesTheRunDoubtful(params string[] command)
    {
        await using var pair = await SyncPair.Start();
        Give(pair, "1");
        await using var process = await pair.SyncFirst("--on-existing", "rewrite");

        pair.From.Execute("SET", "last", "1");
        pair.From.Execute(command);
        pair.From.Execute("SET", "end", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "end").Number == 1);

        StatusOf((await process.EndBy("INT").End(process)).Record).ShouldBe("Doubtful");
    }

    [Theory]
    [InlineData("--on-existing", "rewrite")]
    [InlineData("--empty-destination")]
    [InlineData("--on-existing", "rewrite", "--no-data-set")]
    public async Task Target_WhoseFormerKeysNoCommandMeetsUnasked_IsNoDoubt(params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        Give(pair, "0");
        // A value in parts and a function are of the data set, and no commands of the source.
        pair.From.Execute("EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], redis.sha1hex(i)) end", "1", "long");
        pair.From.Execute(
            "FUNCTION", "LOAD", "#!lua name=ours\nredis.register_function('ours', function() return 1 end)");
        await using var process = pair.Sync([.. arguments, "--big-value", "1KiB"]);
        if (arguments.Contains("--no-data-set"))
        {
            await process.Until("it is there", () => pair.From.Execute("ROLE").Items[2].Items.Count == 1);
            pair.From.Execute("SET", "long", "1");
        }
        else if (arguments.Contains("--empty-destination"))
        {
            await process.Until("the data set is there", () => pair.To.Execute("EXISTS", "long").Number == 1);
            pair.From.Execute("INCR", "count");
            await process.Until("the command is there", () => pair.To.Execute("EXISTS", "count").Number == 1);
        }

        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "long").Number == 1);
        await Task.Delay(500, TestContext.Current.CancellationToken);

        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        StatusOf(record).ShouldBe("Valid");
        Reasons(record).Contains($"{Former}; those").ShouldBe(!arguments.Contains("--empty-destination"));
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
        Reasons(record).ShouldContain($"{Former}; those that the source does not have are still there.");
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
