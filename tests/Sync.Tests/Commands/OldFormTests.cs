using RedisLatency.Fixtures;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Verify;

namespace RedisLatency.Sync.Tests.Commands;

public sealed class OldFormTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("old-forms").FullName;

    // The target knows some of them, or none.
    [Fact]
    public async Task NewerCommands_OfAFile_LeaveTheirResult()
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SyncProcess.Open(target.Uri);
        string[] commands =
        [
            "HSET f a 1 b 2 c 3", "HSETEX f KEEPTTL FIELDS 1 a 2", "HGETDEL f FIELDS 2 b c",
            "MSETEX 2 q1 a q2 b PXAT 4000000000000", "SET e a", "SET e b IFEQ a", "SET d 1", "DELEX d IFEQ 1",
        ];
        var file = Path.Combine(_folder, "newer.aof");
        await File.WriteAllTextAsync(
            file,
            string.Concat(commands.Select(command => command.Split(' ')).Select(words =>
                $"*{words.Length}\r\n{string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n"))}")),
            TestContext.Current.CancellationToken);

        await using var process = SyncProcess.StartFile("aof", file, target.Uri);
        (await process.End()).ShouldBe(0, process.ToString());

        client.Execute("HGETALL", "f").Items.Select(item => item.Text).ShouldBe(["a", "2"]);
        client.Execute("MGET", "q1", "q2", "e").Items.Select(item => item.Text).ShouldBe(["a", "b", "b"]);
        client.Execute("PEXPIRETIME", "q2").Number.ShouldBe(4000000000000);
        client.Execute("EXISTS", "d").Number.ShouldBe(0);
    }

    // By the commands that it lacks a target is taken for one of before 6.2.
    [Fact]
    public async Task Commands_ToAnOlderTarget_AreThoseThatItKnows()
    {
        await using var pair = await SyncPair.Start(
            target: ["--rename-command", "GETDEL", "", "--rename-command", "SPUBLISH", ""]);
        await using var process = await pair.SyncFirst();
        string[] commands =
        [
            "RPUSH l a b c d e f", "LPOP l 2", "RPOP l 1", "LMOVE l m RIGHT LEFT", "SET s v EX 1000", "SET n 1 NX", "SET s2 v PX 100000 XX GET",
            "ZADD z 1 a", "ZADD z GT CH 5 a", "ZADD z XX GT INCR inf a",
            "XADD x NOMKSTREAM 1-1 f v", "XADD x 1-1 f v",
            "XADD x NOMKSTREAM MAXLEN ~ 5 LIMIT 9 2-1 f v", "XGROUP CREATE x g 0 ENTRIESREAD 1", "XGROUP CREATECONSUMER x g c",
            "XREADGROUP GROUP g c COUNT 1 STREAMS x >", "XSETID x 9-9 ENTRIESADDED 20 MAXDELETEDID 1-0",
            "SPUBLISH channel text", "SET last 1",
        ];
        foreach (var command in commands)
            pair.From.Request(command.Split(' '));

        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("TERM").End(process);
        code.ShouldBe(143, process.ToString());
        record.Sync()["skips"]!.AsArray().Select(skip => $"{skip!["reason"]} {skip["first"]}").ShouldBe(
            [$"{CommandDowngrade.IdleConsumers} x", $"{CommandDowngrade.ShardMessages} channel"], ignoreOrder: true);
        (await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri)).Synced("equal").ShouldBe(8);
        var stats = pair.To.Execute("INFO", "commandstats").Text;
        stats.ShouldContain("cmdstat_ltrim:calls=2,");
        stats.ShouldContain("cmdstat_pexpireat:calls=1,");
        stats.ShouldContain("cmdstat_rpoplpush:calls=1,");
        stats.ShouldNotContain("cmdstat_lmove:");
        stats.ShouldNotContain("cmdstat_lpop:");
        stats.ShouldNotContain("cmdstat_rpop:");
        stats.ShouldNotContain("cmdstat_xgroup|createconsumer:");
    }

    // The source says so much that it has trimmed, with a LIMIT that it takes from its own primary only.
    [Fact]
    public async Task StreamsTrimmedWithALimit_AreTrimmedTheSame()
    {
        await using var pair = await SyncPair.Start(source: ["--stream-node-max-entries", "2"]);
        await using var process = await pair.SyncFirst();
        string[] commands =
        [
            .. Enumerable.Range(1, 9).Select(i => $"XADD x {i}-1 f v"), "XADD x MAXLEN ~ 5 LIMIT 100 10-1 f v",
            "XADD x NOMKSTREAM MINID ~ 8 LIMIT 2 11-1 f v", "XTRIM x MAXLEN ~ 3 LIMIT 2", "SET last 1",
        ];
        foreach (var command in commands)
            pair.From.Execute(command.Split(' '));

        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        (await process.EndBy("TERM")).ShouldBe(143, process.ToString());
        pair.From.Execute("XLEN", "x").Number.ShouldBeLessThan(6);
        (await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri)).Synced("equal").ShouldBe(3);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
