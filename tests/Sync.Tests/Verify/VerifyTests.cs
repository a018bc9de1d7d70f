using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

public class VerifyTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Verify_OfWhatAScanHasCopied_IsEqual(bool fromCluster, bool toCluster)
    {
        await using var source = await Ends.Start(fromCluster);
        await using var target = await Ends.Start(toCluster);
        source.Write();
        await SyncProcess.Run("scan", source.Uri, target.Uri);

        var record = await VerifyProcess.Run(source.Uri, target.Uri);

        record.Synced("equal").ShouldBe(300);
        record.Synced("differences").ShouldBe(0);
        var list = fromCluster ? "{1}list:0" : "list:1";
        target.Execute(list, "DEL", list);
        target.Execute("more", "SET", "more", "1");
        (await VerifyProcess.FindDifferences(source.Uri, target.Uri)).ShouldBe(["extra more", $"missing {list}"]);
    }

    [Fact]
    public async Task Differences_OfEveryKind_AreFoundAndNothingElse()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
        {
            KeyContents.Write(server);
            server.Execute("XGROUP", "CREATE", "stream:4", "other", "0");
            server.Execute("XREADGROUP", "GROUP", "group", "reader", "STREAMS", "stream:5", ">");
        }

        // As many members, in another order, are the same.
        pair.From.Execute("SADD", "set:9", "p", "q", "r");
        pair.To.Execute("SADD", "set:9", "r", "q", "p");
        pair.To.Execute("DEL", "string:1");
        pair.To.Execute("SET", "string:more", "1");
        pair.To.Execute("DEL", "string:2");
        pair.To.Execute("RPUSH", "string:2", "1");
        pair.To.Execute("SETRANGE", "string:3", "2", "X");
        pair.To.Execute("PEXPIRE", "string:4", "5000000");
        pair.To.Execute("PERSIST", "string:5");
        pair.To.Execute("LSET", "list:1", "2", "other");
        pair.To.Execute("RPUSH", "list:2", "more");
        pair.To.Execute("HSET", "hash:1", "b", "other");
        pair.To.Execute("HDEL", "hash:2", "a");
        pair.To.Execute("HSET", "hash:3", "more", "1");
        pair.To.Execute("SREM", "set:1", "x");
        pair.To.Execute("SADD", "set:2", "more");
        pair.To.Execute("ZADD", "zset:1", "1.0000000000000002", "x");
        pair.To.Execute("ZADD", "zset:2", "1", "more");
        // A short member would lose the sign.
        var zero = new string('z', 70);
        pair.From.Execute("ZADD", "zset:4", "0", zero);
        pair.To.Execute("ZADD", "zset:4", "-0", zero);
        pair.To.Execute("XADD", "stream:1", "9-1", "field", "value");
        pair.From.Execute("XADD", "stream:2", "9-1", "field", "value");
        pair.From.Execute("XADD", "stream:3", "9-1", "field", "value");
        pair.From.Execute("XDEL", "stream:3", "9-1");
        pair.To.Execute("XGROUP", "DESTROY", "stream:4", "other");
        pair.To.Execute("XACK", "stream:5", "group", "6-1");

        (await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri)).ShouldBe([
            "extra string:more",
            "missing string:1",
            "time string:4",
            "time string:5",
            "type string:2",
            "value hash:1 field b",
            "value hash:2 field a",
            "value hash:3 field more",
            "value list:1 item 2",
            "value list:2 item 3",
            "value set:1 member x",
            "value set:2 member more",
            "value stream:1 entry 9-1",
            "value stream:2 entry 9-1",
            "value stream:3 last id",
            "value stream:4 group other",
            "value stream:5 pending entry of group group 6-1",
            "value string:3 byte 2",
            "value zset:1 member x",
            "value zset:2 member more",
            $"value zset:4 member {zero}",
        ]);
    }

    [Fact]
    public async Task Value_OfOneByteOf64MiB_IsFoundInBoundedMemory()
    {
        await using var pair = await SyncPair.Start();
        const int Length = 64 << 20;
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
        {
            server.Execute("SETRANGE", "long", $"{Length - 1}", "z");
            server.Execute("EVAL", "for i = 1, 64 do redis.call('RPUSH', 'list', string.rep('x', 1048576)) end", "0");
        }

        pair.To.Execute("SETRANGE", "long", $"{Length - 77}", "X");
        pair.To.Execute("LSET", "list", "63", "other");
        await using var process = SyncProcess.Start(
            "verify", pair.Source.Uri, pair.Target.Uri, "--pause", "2s", "--rounds", "2");
        var peak = 0;
        await Eventually.Is("it is over", () =>
        {
            peak = Math.Max(peak, PeakMb(process.ProcessId));
            return process.HasExited;
        });
        var (code, record) = await process.End().End(process);

        code.ShouldBe(VerifyProcess.Different, process.ToString());
        record.Synced("different-value").ShouldBe(2);
        peak.ShouldBeInRange(1, 200);
    }

    [Fact]
    public async Task Verify_WritesToNeitherServer()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
        {
            KeyContents.Write(server);
            server.Execute("XREADGROUP", "GROUP", "group", "reader", "STREAMS", "stream:5", ">");
            server.Execute("CONFIG", "RESETSTAT");
        }

        pair.To.Execute("SET", "more", "1");
        pair.To.Execute("CONFIG", "RESETSTAT");
        pair.To.Execute("HSET", "hash:1", "b", "other");
        pair.To.Execute("CONFIG", "RESETSTAT");
        await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, VerifyProcess.Different);

        foreach (var server in (RedisConnection[])[pair.From, pair.To])
        {
            var commands = ServerFacts.FieldsOf(server.Execute("INFO", "commandstats").Text).Keys
                .Select(name => name["cmdstat_".Length..]).ToList();
            commands.ShouldContain("scan");
            foreach (var command in commands)
            {
                var flags = server.Execute("COMMAND", "INFO", command.Split('|')[0]).Items[0].Items[2].Items;
                flags.Select(flag => flag.Text).ShouldNotContain("write", command);
            }
        }
    }

    [Fact]
    public async Task Names_OfAnyBytes_AreExact()
    {
        await using var pair = await SyncPair.Start();
        using (var writer = new RedisPipeline(SyncProcess.Open(pair.Source.Uri)))
        {
            foreach (var name in (byte[][])[[0xff, 0, 10], [], "a\"\n\u001b[31m"u8.ToArray()])
            {
                var request = new Redis.Resp.RespWriter();
                request.WriteArrayHeader(3);
                request.WriteBulkString("SET");
                request.WriteBulkString(name);
                request.WriteBulkString("1");
                writer.Send(request.Written);
                writer.Await("SET").IsError.ShouldBeFalse();
            }
        }

        (await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri))
            .ShouldBe(
                ["missing ", "missing a\"\n\u001b[31m", $"missing {Convert.ToBase64String([0xff, 0, 10])}"],
                ignoreOrder: true);
    }

    [Fact]
    public async Task FiltersAndChanges_OfASynchronisation_AreThoseOfTheComparison()
    {
        string[] same =
        [
            "--allow-key-prefix", "old:", "--block-key", "old:out", "--rename-prefix", "old:=new:",
            "--database-map", "1:0", "--block-database", "2",
        ];
        await using var pair = await SyncPair.Start();
        foreach (var key in (string[])["old:a", "old:out", "other"])
            pair.From.Execute("SET", key, "1");
        pair.From.Execute("SELECT", "1");
        pair.From.Execute("SET", "old:b", "1");
        pair.From.Execute("SELECT", "2");
        pair.From.Execute("SET", "old:c", "1");
        pair.To.Execute("SET", "unrelated", "1");
        await SyncProcess.Run("scan", pair.Source.Uri, pair.Target.Uri, 0, [.. same, "--on-existing", "skip"]);

        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, 0, same);

        record.Synced("equal").ShouldBe(2);
        record.Synced("filtered").ShouldBe(4);
        pair.To.Execute("HSET", "redislatency:checkpoint", "offset", "1");
        pair.To.Execute("SET", "new:b", "2");
        pair.To.Execute("SET", "new:d", "1");
        (await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri, same))
            .ShouldBe(["extra new:d", "value new:b byte 0"]);
    }

    [Theory]
    [InlineData("3s", 0)]
    [InlineData("1s", VerifyProcess.Different)]
    public async Task TimesToLive_AreTheSameWithinTheTolerance(string tolerance, int exitCode)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1", "PXAT", "4000000000000");
        pair.To.Execute("SET", "key", "1", "PXAT", "4000000002000");

        await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, exitCode, "--time-tolerance", tolerance);
    }

    [Fact]
    public async Task KeysAlone_AreComparedByTypeLengthAndTime()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
            KeyContents.Write(server, count: 3);
        pair.To.Execute("SETRANGE", "string:1", "0", "X");
        pair.To.Execute("RPUSH", "list:1", "more");

        (await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri, "--keys-only"))
            .ShouldBe(["value list:1 length"]);
        pair.To.Execute("RPOP", "list:1");
        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, 0, "--keys-only");

        // Of values that differ it says that nobody looked.
        await using var process = ServiceProcess.Start(
            "Sync",
            new Dictionary<string, string> { ["REDISLATENCY__Output__Details"] = "false" },
            ["verify", "--source", pair.Source.Uri, "--destination", pair.Target.Uri, "--keys-only", "--live", "none"]);
        (await process.End()).ShouldBe(0, process.ToString());
        var text = string.Join(' ', process.Output.Lines.Select(line => line.Trim()));
        text.ShouldContain("keys have equal types, lengths and times to live, values not compared, between");
        text.ShouldNotContain("source and destination are equal");
        record["summaries"]![0]!["verify"]!["notCompared"]!.AsArray().Select(one => one!.GetValue<string>())
            .Take(2).ShouldBe(["values", "times of fields"]);
    }

    [Fact]
    public async Task Sample_IsOfTheSameKeysAtBothEnds()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
            server.Execute("EVAL", "for i = 1, 4000 do redis.call('SET', i, i) end", "0");

        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, 0, "--sample", "0.1");

        record.Synced("equal").ShouldBeInRange(300, 500);
        record.Synced("filtered").ShouldBe(8000 - (2 * record.Synced("equal")));
    }

    [Fact]
    public async Task Keys_MoreThanMayWait_AreAllFound()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", "for i = 1, 50000 do redis.call('SET', i, i) end", "0");
        pair.To.Execute("EVAL", "for i = 30001, 70000 do redis.call('SET', i, i) end", "0");

        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, VerifyProcess.Different);

        record.Synced("missing").ShouldBe(30_000);
        record.Synced("extra").ShouldBe(20_000);
        record.Synced("equal").ShouldBe(20_000);
    }

    [Fact]
    public async Task OneServer_IsRefused()
    {
        await using var server = await RedisServerProcess.Start();

        (await SyncProcess.Refusal("verify", server.Uri, server.Uri, 3)).ShouldContain("are one server");
    }

    [Fact]
    public async Task OneCluster_OrAServerOfIt_IsRefused()
    {
        await using var cluster = await RedisClusterProcesses.Start();
        var (first, second, replica) = (cluster.Servers[0], cluster.Servers[1], cluster.Servers[3]);

        foreach (var (from, to) in ((string, string)[])
            [
                (ClusterUri(first), ClusterUri(second)), (ClusterUri(first), second.Uri),
                (replica.Uri, ClusterUri(first)), (first.Uri, second.Uri),
            ])
        {
            (await SyncProcess.Refusal("verify", from, to, 3)).ShouldContain("have servers in common");
        }

        static string ClusterUri(RedisServerProcess server) => server.Uri.Replace("redis:", "redis+cluster:");
    }

    [Fact]
    public async Task Differences_IntoAFileThatIsThere_AreRefused()
    {
        await using var pair = await SyncPair.Start();
        var file = Path.Combine(pair.Source.Folder, "there");
        await File.WriteAllTextAsync(file, "mine", TestContext.Current.CancellationToken);

        (await SyncProcess.Refusal("verify", pair.Source.Uri, pair.Target.Uri, 2, "--differences", file))
            .ShouldContain("it is there already");
        (await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken)).ShouldBe("mine");
    }

    private static int PeakMb(int process)
    {
        try
        {
            var line = File.ReadLines($"/proc/{process}/status")
                .FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            return line is null ? 0 : int.Parse(line.Split(' ')[^2], CultureInfo.InvariantCulture) >> 10;
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
