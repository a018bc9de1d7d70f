using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

public class VerifyUnderWritesTests
{
    [Fact]
    public async Task Differences_UnderALoadThatASynchronisationCarries_AreThePlantedOnes()
    {
        await using var pair = await SyncPair.Start();
        KeyContents.Write(pair.From);
        await using var process = await pair.SyncFirst();
        // And the checkpoint, which is written behind it.
        await process.Until("the data set is there", () => pair.To.Execute("DBSIZE").Number == 302);
        using var load = new Load(pair.Source.Uri);
        pair.To.Execute("DEL", "string:1");
        pair.To.Execute("HSET", "hash:2", "b", "other");
        pair.To.Execute("SET", "extra", "1");

        (await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri, "--pause", "500ms"))
            .ShouldBe(["extra extra", "missing string:1", "value hash:2 field b"]);

        load.End().ShouldBeGreaterThan(0);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
        await VerifyProcess.FindDifferences(pair.Source.Uri, pair.Target.Uri);
    }

    [Fact]
    public async Task Destination_WhoseSynchronisationStandsStill_IsWaitedFor()
    {
        await using var pair = await SyncPair.Start();
        await using var sync = await pair.SyncFirst();
        await sync.Until("it has acknowledged", () => pair.From.Execute("INFO", "replication").Text
            .Contains("state=online", StringComparison.Ordinal));
        sync.Signal("STOP");
        pair.From.Execute("SET", "later", "1");
        pair.From.Execute("CONFIG", "RESETSTAT");

        await using var verify = SyncProcess.Start("verify", pair.Source.Uri, pair.Target.Uri, "--pause", "50ms");
        // All rounds would be over by then. Each look is one itself.
        var own = 0;
        await verify.Until("it has looked for two seconds", () => InfosOf(pair.From) - own++ > 25);
        sync.Signal("CONT");
        var (code, record) = await verify.End().End(verify);

        code.ShouldBe(0, verify.ToString());
        record.Synced("equal").ShouldBe(2);
        (await sync.EndBy("INT")).ShouldBe(130, sync.ToString());

        static long InfosOf(RedisConnection server) => long.Parse(
            ServerFacts.FieldsOf(server.Execute("INFO", "commandstats").Text)
                .GetValueOrDefault("cmdstat_info", "calls=0,").Split('=', ',')[1],
            CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// Its synchronisation acknowledges the same again and again, as one does that has nothing to write.
    /// </summary>
    [Fact]
    public async Task Destination_ThatTakesNoWritesForAWhile_IsWaitedFor()
    {
        await using var pair = await SyncPair.Start();
        await using var sync = await pair.SyncFirst();
        await sync.Until("it has acknowledged", () => pair.From.Execute("INFO", "replication").Text
            .Contains("state=online", StringComparison.Ordinal));
        pair.To.Execute("CLIENT", "PAUSE", "12000", "WRITE");
        pair.From.Execute("SET", "later", "1");

        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri, 0, "--pause", "50ms");

        record.Synced("equal").ShouldBe(2);
        (await sync.EndBy("INT")).ShouldBe(130, sync.ToString());
    }

    // It acknowledges data only.
    [Fact]
    public async Task Synchronisation_BehindWhoseDataPingsCame_IsNotCalledBehind()
    {
        await using var pair = await SyncPair.Start(source: ["--repl-ping-replica-period", "1"]);
        await using var sync = await pair.SyncFirst();
        pair.From.Execute("SET", "later", "1");
        await sync.Until("pings came", () => pair.From.Execute("ROLE") is { Items: [_, var own, var all] }
            && all.Items.Count == 1
            && own.Number - long.Parse(all.Items[0].Items[2].Text, CultureInfo.InvariantCulture) is > 20 and < 100);
        pair.To.Execute("SET", "extra", "1");

        var record = await VerifyProcess.Run(
            pair.Source.Uri, pair.Target.Uri, VerifyProcess.Different, "--reconnect-timeout", "20s");

        record.Synced("extra").ShouldBe(1);
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", record["verdict"]!.ToJsonString());
        (await sync.EndBy("INT")).ShouldBe(130, sync.ToString());
    }

    [Fact]
    public async Task Sync_WithVerify_EndsOnceBothAreEqual()
    {
        await using var pair = await SyncPair.Start();
        KeyContents.Write(pair.From);
        using var load = new Load(pair.Source.Uri);

        await using var process = pair.Sync("--verify");
        var (code, record) = await process.End().End(process);

        load.End().ShouldBeGreaterThan(0);
        code.ShouldBe(0, process.ToString());
        var verified = record["summaries"]![1]!;
        verified["verify"]!["differences"]!.AsArray().Count.ShouldBe(0);
        record["thresholds"]![0]!["held"]!.GetValue<bool>().ShouldBeTrue();
    }

    [Theory]
    [InlineData("--verify")]
    [InlineData("--verify", "--no-stream")]
    public async Task Sync_WithVerify_FindsWhatTheTargetHadBefore(params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        KeyContents.Write(pair.From, count: 2);
        pair.To.Execute("SET", "before", "1");

        await using var process = pair.Sync([.. arguments, "--on-existing", "rewrite"]);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(VerifyProcess.Different, process.ToString());
        record["summaries"]![1]!["verify"]!["differences"]![0]!["first"]!.GetValue<string>().ShouldBe("before");
    }

    [Fact]
    public async Task Key_ThatChangesInEveryRound_IsNotJudged()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "n", "0");
        pair.To.Execute("SET", "n", "0");
        using var load = new Load(pair.Source.Uri, onlyOne: true);
        await Eventually.Is("it has begun", () => load.Sent > 10);

        var record = await VerifyProcess.Run(pair.Source.Uri, pair.Target.Uri);

        record.Synced("unsettled").ShouldBe(1);
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Doubtful");
        load.End();
    }

    /// <summary>Writes keys of all types again and again, on a thread of its own.</summary>
    private sealed class Load : IDisposable
    {
        private readonly RedisConnection _connection;
        private readonly Thread _thread;
        private volatile bool _isOver;
        private long _sent;

        public Load(string uri, bool onlyOne = false)
        {
            _connection = SyncProcess.Open(uri);
            _thread = new Thread(() => Run(onlyOne)) { IsBackground = true };
            _thread.Start();
        }

        public long Sent => Volatile.Read(ref _sent);

        public long End()
        {
            _isOver = true;
            _thread.Join();
            return _sent;
        }

        public void Dispose()
        {
            End();
            _connection.Dispose();
        }

        private void Run(bool onlyOne)
        {
            var random = new Random(1);
            while (!_isOver)
            {
                var key = random.Next(200).ToString(CultureInfo.InvariantCulture);
                _connection.Execute("INCR", "n");
                if (!onlyOne)
                {
                    _connection.Execute("RPUSH", $"load:list:{key}", key);
                    _connection.Execute("LPOP", $"load:list:{key}");
                    _connection.Execute("HINCRBY", $"load:hash:{key}", "f", "1");
                    _connection.Execute("ZINCRBY", $"load:zset:{key}", "1", "m");
                    _connection.Execute("XADD", $"load:stream:{key}", "MAXLEN", "10", "*", "f", "v");
                    _connection.Execute("SET", $"load:string:{key}", key, "PX", "100");
                    _connection.Execute("DEL", $"load:set:{key}");
                    _connection.Execute("SADD", $"load:set:{key}", "a", "b");
                }

                Interlocked.Increment(ref _sent);
            }
        }
    }
}
