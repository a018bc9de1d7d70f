using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Filters;

public class SyncTransformTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Stream_OfCommands_IsCarriedOutInOrderOverDatabases(int connections)
    {
        await using var target = await RedisServerProcess.Start();

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan(), connections,
            "set a 1", "INCR a", "RENAME a b", "INCR b", "SELECT 3", "RPUSH l x", "SELECT 0", "APPEND b 0",
            "MULTI", "SET c 1", "INCR c", "EXEC", "MSET d 1 e 2", "SELECT 2", "SET f 1", "FLUSHDB", "SET g 1");

        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("GET", "b").Text.ShouldBe("30");
        connection.Execute("GET", "c").Text.ShouldBe("2");
        connection.Execute("MGET", "d", "e").Items.Select(one => one.Text).ShouldBe(["1", "2"]);
        connection.Execute("SELECT", "2");
        connection.Execute("KEYS", "*").Items.Select(one => one.Text).ShouldBe(["g"]);
        connection.Execute("SELECT", "3");
        connection.Execute("LLEN", "l").Number.ShouldBe(1);
        (counts.Read, counts.Written, counts.Commands, counts.Skipped).ShouldBe((12, 12, 12, 0));
    }

    [Theory]
    [InlineData("SORT {list} BY weight:* STORE {list}sorted")]
    [InlineData("MULTI", "SORT {list} BY weight:* STORE {list}sorted", "EXEC")]
    public async Task Sort_ByOtherKeys_WaitsForThem(params string[] sort)
    {
        await using var target = await RedisServerProcess.Start();
        var ids = Enumerable.Range(0, 60).ToArray();
        var large = new string('x', 20_000);

        GivenSync.Run(
            target.Uri, new TransformPlan(), 3,
            [
                .. ids.Select(id => $"RPUSH {{list}} {id}"), .. Enumerable.Range(0, 300).Select(i => $"SET {i} {large}"),
                .. ids.Select(id => $"SET weight:{id} {100 - id}"), .. sort,
            ]);

        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("LRANGE", "{list}sorted", "0", "-1").Items.Select(one => int.Parse(one.Text))
            .ShouldBe(ids.Reverse());
    }

    [Fact]
    public async Task Transaction_OverDatabases_BeginsInItsOwn()
    {
        await using var target = await RedisServerProcess.Start();

        GivenSync.Run(
            target.Uri, new TransformPlan(), 1,
            "MULTI", "SET a 1", "SELECT 3", "SET b 1", "SELECT 0", "SET c 1", "SELECT 2", "SET d 1", "EXEC", "SET e 1");

        using var connection = SyncProcess.Open(target.Uri);
        foreach (var (database, keys) in (IEnumerable<(string, string)>)[("0", "a c"), ("2", "d e"), ("3", "b")])
        {
            connection.Execute("SELECT", database);
            string.Join(' ', connection.Execute("KEYS", "*").Items.Select(one => one.Text).Order()).ShouldBe(keys);
        }
    }

    [Fact]
    public async Task Cluster_GetsKeysOfSeveralSlots_InParts()
    {
        await using var target = await Ends.Start(isCluster: true);

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan(), 2,
            "MSET a 1 b 2 c 3 {x}d 4 {x}e 5", "DEL a {x}d", "MULTI", "SET {x}f 1", "INCR {x}f", "EXEC",
            "MULTI", "SET g 1", "SET h 2", "EXEC");

        var contents = target.Contents().Keys;
        contents.ShouldBe(["0/b", "0/c", "0/g", "0/h", "0/{x}e", "0/{x}f"]);
        (counts.Cut, counts.TransactionsCut).ShouldBe((2, 1));
    }

    [Theory]
    [InlineData("RENAME a b", "RENAME a … has keys in several slots")]
    [InlineData("NOSUCH a", "NOSUCH is a command that neither this tool nor the target knows")]
    public async Task Cluster_GivenWhatItCannotDo_EndsTheRun(string command, string message)
    {
        await using var target = await Ends.Start(isCluster: true);

        Action run = () => GivenSync.Run(target.Uri, new TransformPlan(), 1, "SET a 1", command);

        run.ShouldThrow<RedisServerException>().Message.ShouldContain(message);
    }

    [Fact]
    public async Task Target_ThatRefusesACommand_EndsTheRunWithItsName()
    {
        await using var target = await RedisServerProcess.Start();

        Action run = () => GivenSync.Run(target.Uri, new TransformPlan(), 1, "SET a 1", "RPUSH a 1");

        run.ShouldThrow<RedisServerException>().Message.ShouldContain("RPUSH a was refused: WRONGTYPE");
    }

    [Fact]
    public async Task Function_ThatFails_EndsTheRunWithTheLine()
    {
        await using var target = await RedisServerProcess.Start();
        var plan = new TransformPlan
        {
            Function = new FunctionPlan("if CMD == 'INCR' then error('no') end\nshake.call(DB, ARGV)"),
        };

        Action run = () => GivenSync.Run(target.Uri, plan, 1, "SET a 1", "INCR a");

        run.ShouldThrow<RedisServerException>().Message.ShouldContain("The function failed at INCR a:");
    }

    [Fact]
    public async Task Copy_ToAnotherDatabase_IsSeen_WhereverItSaysSo()
    {
        await using var target = await RedisServerProcess.Start();

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan { Databases = new Dictionary<int, int> { [1] = 2 } }, 1,
            "SET a 1", "COPY a b REPLACE DB 1", "COPY a c DB 1 REPLACE", "COPY a db");

        (counts.Skipped, counts.Written).ShouldBe((2, 2));
    }

    [Theory]
    [InlineData(1, 2, "--database-map", "1:0")]
    [InlineData(0, 1, "--rename-prefix", "b:=a:")]
    public async Task Keys_OfOneName_AreOneAtTheTarget(int database, int count, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a:key", "0", "b:key", "1");
        pair.From.Execute("SELECT", $"{database}");
        pair.From.Execute("SET", "b:key", "2");

        await SyncProcess.Run(
            "sync", pair.Source.Uri, pair.Target.Uri, 0, ["--no-stream", "--on-existing", "rewrite", .. arguments]);

        KeyContents.CountIn(pair.To).ShouldBe(count);
    }

    [Theory]
    [InlineData("--database-map", "1:0")]
    [InlineData("--rename-prefix", "b:=a:")]
    public async Task Keys_ThatComeToOneName_EndAScanThatMayReplaceNone(params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a:key", "0", "b:key", "1");
        pair.From.Execute("SELECT", "1");
        pair.From.Execute("SET", "a:key", "2");

        var said = await SyncProcess.Refusal("scan", pair.Source.Uri, pair.Target.Uri, 4, arguments);

        said.ShouldContain("the key a:key is there already");
    }

    [Fact]
    public async Task FlushAll_WhereDatabasesAreMapped_EmptiesNoOthers()
    {
        await using var target = await RedisServerProcess.Start();
        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("SET", "others", "1");

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan { Databases = new Dictionary<int, int> { [0] = 7 } }, 1, "SET a 1", "FLUSHALL");

        connection.Execute("EXISTS", "others").Number.ShouldBe(1);
        counts.SkippedFor.ShouldHaveSingleItem().Reason.ShouldStartWith("other databases than the selected one");
    }

    [Fact]
    public async Task Script_WaitsForKeysThatItDoesNotName()
    {
        await using var target = await RedisServerProcess.Start();
        var ids = Enumerable.Range(0, 60).ToArray();
        var large = new string('x', 20_000);

        GivenSync.Run(
            target.Uri, new TransformPlan(), 3,
            [
                .. Enumerable.Range(0, 300).Select(i => $"SET {i} {large}"),
                .. ids.Select(id => $"SET weight:{id} {id}"),
                .. ids.Select(id => $"EVAL redis.call('SET',KEYS[1],redis.call('GET','weight:{id}')or'none') 1 got:{id}"),
            ]);

        using var connection = SyncProcess.Open(target.Uri);
        ids.Select(id => connection.Execute("GET", $"got:{id}").Text).ShouldBe(ids.Select(id => $"{id}"));
    }

    [Theory]
    [InlineData("SET key:{0} value", "INCR counter:{0}", "HSET hash:{0} field value", "DEL key:{0}")]
    [InlineData("SET key:{0} value PXAT 1999999999999", "APPEND key:{0} value", "PEXPIREAT key:{0} 1999999999998")]
    [InlineData("MULTI", "SADD set:{0} member", "ZADD zset:{0} 1 member", "EXEC")]
    public void Middle_AllocatesNothingPerCommand(params string[] commands)
    {
        const int Rounds = 1_000;
        var table = new CommandTable();
        using var transform = new SyncTransform(
            new TransformPlan { ExtendsExpiredKeys = true, NeedsSlots = true }, table,
            new SyncCounts(table.All.Count));
        var batch = BatchOf(Enumerable.Range(0, Rounds).SelectMany(
            i => commands.Select(command => string.Format(CultureInfo.InvariantCulture, command, i))));

        transform.Process(batch);
        var before = GC.GetAllocatedBytesForCurrentThread();
        transform.Process(batch);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    private static SyncBatch BatchOf(IEnumerable<string> commands)
    {
        var (batch, frames, request) = (new SyncBatch(), new CommandFrames(), new RespWriter());
        foreach (var command in commands)
        {
            request.Clear();
            request.WriteRequest(command.Split(' '));
            batch.AddCommand(request.Written, frames, database: 0);
        }

        return batch;
    }
}
