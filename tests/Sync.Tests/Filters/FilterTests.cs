using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Filters;

public class FilterTests
{
    [Fact]
    public async Task Filter_OnACommandOfSeveralKeys_CutsItWhereItCanBe()
    {
        await using var target = await RedisServerProcess.Start();
        var plan = new TransformPlan { Filter = new FilterOptions { BlockKeyPrefixes = ["tmp:"] } };

        var counts = GivenSync.Run(
            target.Uri, plan, 1,
            "MSET tmp:1 x a 1 b 2", "SADD s 1 2", "SADD u 3", "DEL a tmp:1", "SUNIONSTORE tmp:2 s u", "SET tmp:3 1");

        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("KEYS", "*").Items.Select(one => one.Text).Order().ShouldBe(["b", "s", "u"]);
        counts.Filtered.ShouldBe(1);
        counts.Skipped.ShouldBe(1);
        counts.SkippedFor[0].Reason.ShouldContain("both sides of the filter");
    }

    [Theory]
    [InlineData("SORT l BY w_* STORE out", true)]
    [InlineData("SORT l BY w_*->f STORE out", true)]
    [InlineData("SORT l GET w_* STORE out", true)]
    [InlineData("SORT l BY nosort GET # STORE out", false)]
    public async Task Sort_ByKeysThatItDoesNotName_IsSkipped_WhereKeysAreChosenOrRenamed(string command, bool isSkipped)
    {
        TransformPlan[] plans =
        [
            new() { Filter = new FilterOptions { BlockKeyPrefixes = ["w_"] } }, new() { Prefixes = [new("w_"u8.ToArray(), "v_"u8.ToArray())] },
            new(),
        ];
        foreach (var plan in plans)
        {
            await using var target = await RedisServerProcess.Start();
            var counts = GivenSync.Run(target.Uri, plan, 1, "RPUSH l 1 2", "MSET w_1 9 w_2 5", command);
            counts.Skipped.ShouldBe(isSkipped && plan != plans[^1] ? 1 : 0);
            counts.SkippedFor.ShouldAllBe(skip => skip.First == "l" && skip.Reason.StartsWith("keys that are found by"));
        }
    }

    [Fact]
    public async Task Words_ThatAreNamedLikeOptions_AreNoKeys()
    {
        await using var target = await RedisServerProcess.Start();
        var plan = new TransformPlan { Filter = new FilterOptions { AllowKeyPrefixes = ["a:"] } };

        var counts = GivenSync.Run(
            target.Uri, plan, 1,
            "GEOADD a:g 13 38 STORE", "GEORADIUSBYMEMBER a:g STORE 200 km STORE a:near", "RPUSH a:l 2 1",
            "SORT a:l BY STORE GET # LIMIT 0 5 STORE a:sorted", "SORT a:l STORE b:sorted");

        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("KEYS", "*").Items.Select(one => one.Text).Order()
            .ShouldBe(["a:g", "a:l", "a:near", "a:sorted"]);
        counts.SkippedFor.Select(one => one.Count).ShouldBe([1]);
    }

    [Fact]
    public async Task Filter_OfCommandsGroupsAndDatabases_BlocksMoreThanItAllows()
    {
        await using var target = await RedisServerProcess.Start();
        var plan = new TransformPlan
        {
            Filter = new FilterOptions
            {
                AllowGroups = ["STRING", "HASH"],
                BlockCommands = ["incr"],
                BlockDatabases = [1],
            },
        };

        GivenSync.Run(
            target.Uri, plan, 1, "SET a 1", "INCR a", "HSET h f v", "SADD s 1", "DEL a", "SELECT 1", "SET b 1");

        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("KEYS", "*").Items.Select(one => one.Text).Order().ShouldBe(["a", "h"]);
        connection.Execute("GET", "a").Text.ShouldBe("1");
        connection.Execute("INFO", "keyspace").Text.ShouldNotContain("db1");
    }

    [Fact]
    public async Task LibrariesAndMessages_AreOfNoDatabase()
    {
        await using var target = await Ends.Start(isCluster: true);
        var plan = new TransformPlan { Filter = new FilterOptions { BlockDatabases = [0] } };

        var counts = GivenSync.Run(
            target.Uri, plan, 2, "SCRIPT LOAD return(1)", "SET a 1", "SELECT 3", "SCRIPT LOAD return(2)", "PUBLISH news 1");

        (counts.Written, counts.Filtered).ShouldBe((7, 1));
        Calls("script|load").ShouldBe(6);
        Calls("publish").ShouldBe(1);

        int Calls(string command) => target.Servers.Count(server => Said(server, command, 1))
            + (2 * target.Servers.Count(server => Said(server, command, 2)));

        static bool Said(RedisServerProcess server, string command, int calls)
        {
            using var connection = SyncProcess.Open(server.Uri);
            return connection.Execute("INFO", "commandstats").Text.Contains($"cmdstat_{command}:calls={calls},");
        }
    }

    [Theory]
    [InlineData("Valid")]
    [InlineData("Doubtful", "--rename-prefix", "a:=b:")]
    [InlineData("Doubtful", "--block-key-prefix", "b:")]
    [InlineData("Doubtful", "--database-map", "3:0")]
    [InlineData("Doubtful", "--block-database", "3")]
    [InlineData("Doubtful", "--allow-database", "0")]
    [InlineData("Doubtful", "--block-command", "set")]
    [InlineData("Doubtful", "--function-code", "shake.call(DB, ARGV)")]
    public async Task Script_MakesTheRunDoubtful_WhereAnythingIsChosenOrChanged(
        string verdict, params string[] arguments)
    {
        await using var target = await RedisServerProcess.Start();

        var record = await OfScript(
            target, "redis.call('select', 3) return redis.call('set', KEYS[1], 1)", arguments);

        record["verdict"]!["status"]!.GetValue<string>().ShouldBe(verdict);
        record["verdict"]!.ToJsonString().Contains("1 scripts were carried over as they are")
            .ShouldBe(verdict != "Valid");
    }

    [Fact]
    public async Task Prefix_ThatIsRenamedTwice_IsRefused()
    {
        (await SyncProcess.Refusal(
                "scan", "a:1", "b:1", 2, "--rename-prefix", "a:=b:", "--rename-prefix", "a:=c:"))
            .ShouldContain("--rename-prefix: a: is renamed twice");
    }

    [Fact]
    public async Task Script_ThatEmptiesTheTarget_IsNotTakenForAnotherClient()
    {
        await using var target = await RedisServerProcess.Start();

        var record = await OfScript(target, "return redis.call('flushall')");

        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid");
        record["verdict"]!.ToJsonString().ShouldNotContain("another client");
    }

    [Fact]
    public async Task Expression_ThatWouldTakeForEver_ByTrying_IsMatchedOtherwise()
    {
        await using var target = await RedisServerProcess.Start();
        var plan = new TransformPlan { Filter = new FilterOptions { BlockKeyExpressions = ["^(a|aa)+$"] } };

        GivenSync.Run(target.Uri, plan, 1, $"SET {new string('a', 60)}! 1").Written.ShouldBe(1);
    }

    [Theory]
    [InlineData("^(?=a)(a|aa)+$")]
    [InlineData(@"^(a)\1$")]
    public void Expression_ThatIsMatchedByTrying_IsRefused(string expression) =>
        FilterOptions.ExpressionProblem(expression)!.ShouldContain("matched by trying");

    private static async Task<JsonNode> OfScript(
        RedisServerProcess target, string script, params string[] arguments)
    {
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(
                file, $"*4\r\n$4\r\nEVAL\r\n${script.Length}\r\n{script}\r\n$1\r\n1\r\n$3\r\na:1\r\n",
                TestContext.Current.CancellationToken);
            await using var process = SyncProcess.StartFile("aof", file, target.Uri, arguments);
            return (await process.End().End(process)).Record;
        }
        finally
        {
            File.Delete(file);
        }
    }
}
