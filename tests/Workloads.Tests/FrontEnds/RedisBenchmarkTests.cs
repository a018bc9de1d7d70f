using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>redis-benchmark's command lines, beside the original and what it printed.</summary>
public class RedisBenchmarkTests : FrontEndTest
{
    [Theory]
    [InlineData("redis-benchmark.txt", "-t set,get -n 2000 -c 10 -d 8")]
    [InlineData("redis-benchmark-q.txt", "-t set,get,incr -n 2000 -q")]
    [InlineData("redis-benchmark-threads.txt", "--threads 2 -t set -n 2000 -P 4 -r 1000")]
    public async Task Output_OfEachForm_HasTheShapeOfTheOriginals(string file, string line)
    {
        var process = await Run($"redis-benchmark -p {{port}} {line}");

        OriginalOutput.ShapeOf(process.Output.Lines).ShouldBe(OriginalOutput.ShapeOf(OriginalOutput.Lines(file)));
    }

    [Fact]
    public async Task Csv_OfAllTests_HasTheRowsOfTheOriginals()
    {
        var process = await Run("redis-benchmark -p {port} -n 300 --csv");

        var original = OriginalOutput.Lines("redis-benchmark.csv").Where(row => row.Length > 0).ToList();
        var rows = process.Output.Lines.Where(row => row.Length > 0).ToList();
        rows[0].ShouldBe(original[0]);
        // Redis 7.0 had no XADD among them.
        NamesOf(rows).ShouldBe([.. NamesOf(original), "XADD"]);
        rows.Skip(1).ShouldAllBe(row => row.Split("\",\"", StringSplitOptions.None).Length == 8);
    }

    [Theory]
    [InlineData("-n 400 -c 10")]
    [InlineData("-n 400 -c 10 -r 50")]
    [InlineData("-n 400 -c 5 -P 8 -r 1000 -t set,get,incr,lpush,sadd,hset,zadd,mset,lrange_100")]
    public async Task SideBySide_WithTheOriginal_TheServerCountsTheSameCommandsAndHasTheSameKeys(string line)
    {
        var original = await RunOriginal("redis-benchmark", $"-p {{port}} {line}");
        var (calls, keys) = (Calls(), Keys());
        Ask("FLUSHALL");
        Ask("CONFIG", "RESETSTAT");

        var process = await Run($"redis-benchmark -p {{port}} {line}");

        var tests = RedisBenchmarkText.Parse(original);
        var ours = RedisBenchmarkText.Parse(process.Output.Lines).Where(test => test.Title != "XADD").ToList();
        ours.Select(test => test.Facts).ShouldBe(tests.Select(test => test.Facts).Where(one => one[0] != "XADD"));
        ours.ShouldAllBe(test => test.LastCumulative == test.Requests);
        ours.ShouldAllBe(test => Math.Abs((test.Requests / test.Rate) - test.Seconds) < 0.0051);
        Known(Calls()).ShouldBe(Known(calls), ignoreOrder: true);
        // What is drawn is drawn otherwise.
        if (!line.Contains("-r", StringComparison.Ordinal))
            Keys().Except(["mystream"]).ShouldBe(keys.Except(["mystream"]));
    }

    [Fact]
    public async Task SideBySide_BehindADelay_BothHaveItInLatencyAndThroughput()
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(10)),
        });
        var line = $"-p {link.PortOf()} -t set,get -n 400 -c 4 --csv";

        var original = NumbersOf(await RunOriginal("redis-benchmark", line));
        var ours = NumbersOf((await Run($"redis-benchmark {line}")).Output.Lines);

        ours.Count.ShouldBe(2);
        foreach (var test in ours.Concat(original))
        {
            // The columns are rate, mean, least, p50, p95, p99 and most, in milliseconds.
            test[2].ShouldBeGreaterThanOrEqualTo(20);
            // On a machine that is busy, both wait longer, and between a reply and the next request too.
            test[3].ShouldBeInRange(20, 40);
            (test[0] * test[1] / 1000).ShouldBeInRange(3, 4.1, "four connections, each with one request under way");
        }

        static List<double[]> NumbersOf(IEnumerable<string> rows) =>
        [
            .. rows.Where(row => row.Length > 0).Skip(1)
                .Select(row => row.Split(',').Skip(1).Select(field => OriginalOutput.NumberOf(field.Trim('"'))).ToArray()),
        ];
    }

    [Fact]
    public async Task Keys_WithAndWithoutR_AreCalledAsTheOriginals()
    {
        await Run("redis-benchmark -p {port} -t set,incr,lpush,sadd,hset,zadd -n 20 -q");
        Keys().ShouldBe(["counter:__rand_int__", "key:__rand_int__", "myhash", "mylist", "myset", "myzset"]);
        Ask("TYPE", "myzset").ShouldBe("zset");

        Ask("FLUSHALL");
        await Run("redis-benchmark -p {port} -t set -n 200 -r 3 -q");
        Keys().ShouldBe(["key:000000000000", "key:000000000001", "key:000000000002"]);
    }

    [Fact]
    public async Task Command_OfOnesOwn_IsSentAsItWasTyped()
    {
        var process = await Run("redis-benchmark -p {port} -n 100 -r 5 -q SET own:__rand_int__ it's");

        Keys().ShouldBe(Enumerable.Range(0, 5).Select(number => $"own:00000000000{number}"));
        Ask("GET", "own:000000000000").ShouldBe("it's");
        process.Output.Lines.ShouldContain(
            line => line.StartsWith("SET own:__rand_int__ it's: ", StringComparison.Ordinal));
        await Run(@"redis-benchmark -p {port} -n 10 -q SET raw a\n""b\");
        Ask("GET", "raw").ShouldBe(@"a\n""b\");
    }

    [Fact]
    public async Task AsOriginal_StepsByEightMicroseconds()
    {
        var exact = await Run("redis-benchmark -p {port} -t set -n 3000");
        var original = await Run("redis-benchmark -p {port} -t set -n 3000 --as-original");
        var finest = await Run("redis-benchmark -p {port} -t set -n 3000 --as-original --precision 4");

        StepsOf(original).ShouldAllBe(us => us > 16_000 || (us + 1) % 8 == 0);
        StepsOf(finest).ShouldAllBe(us => us > 262_000 || (us + 1) % 8 == 0);
        StepsOf(exact).ShouldContain(us => (us + 1) % 8 != 0);

        static IEnumerable<long> StepsOf(ServiceProcess process) => process.Output.Lines
            .Where(line => line.Contains("% <= ", StringComparison.Ordinal))
            .Select(line => (long)Math.Round(1000 * OriginalOutput.NumberOf(line.Split("<= ")[1].Split(' ')[0])));
    }

    [Fact]
    public async Task AsOriginal_GivesEachRequestOfABatchTheFirstOnesLatency()
    {
        // Of each batch of four it answers one request at once, the others when it is asked to by the clock.
        using var slow = FakeServer.Start((client, _) => AnswerInTwo(client));
        var port = slow.Uri.Split(':')[^1];

        var exact = await Run($"redis-benchmark -p {port} -t ping_mbulk -n 4 -c 1 -P 4 --csv");
        var original = await Run($"redis-benchmark -p {port} -t ping_mbulk -n 4 -c 1 -P 4 --csv --as-original");

        P50Of(exact).ShouldBeGreaterThan(SecondAfterMs / 2);
        P50Of(original).ShouldBeLessThan(SecondAfterMs / 2);
    }

    [Theory]
    [InlineData("--nonsense", "Invalid option \"--nonsense\"")]
    [InlineData("-n", "-n needs a value: -n REQUESTS")]
    [InlineData("-n 10 --duration 5", "-n, --duration: only one of them can be meant")]
    [InlineData("--rdma", "--rdma cannot be honoured: ")]
    [InlineData("-t set,gett", "-t gett: there is no such test; there are ping, ping_inline")]
    [InlineData("-x -t set", "-x: a command is needed")]
    [InlineData("client reply off", "client reply off: client reply off is not answered")]
    public async Task Options_ThatCannotBe_EndWithTheOriginalsUsage(string line, string problem)
    {
        var process = await Run($"redis-benchmark -p {{port}} {line}", 2);

        process.Errors.ToString().ShouldContain(problem);
        process.Errors.Lines.ShouldContain("Usage: redis-benchmark [OPTIONS] [COMMAND ARGS...]");
        process.Output.Lines.ShouldBeEmpty();
        Calls().ShouldBeEmpty();
    }

    [Fact]
    public async Task Rps_IsKept_AndSaidHowWell()
    {
        var process = await Run("redis-benchmark -p {port} -t set -c 4 --rps 500 --duration 4");

        var lines = process.Output.Lines;
        var summary = lines.ToList().IndexOf("RPS Summary:");
        lines[summary + 1].ShouldBe("  target RPS: 500.00");
        var rates = lines[summary + 4].Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(OriginalOutput.NumberOf).ToList();
        rates.Count.ShouldBe(6);
        // On a busy machine a second may have less, and the next one what was due.
        rates[0].ShouldBe(500, 50);
        rates.Skip(1).ShouldBe(rates.Skip(1).Order());
        RedisBenchmarkText.Parse(lines).ShouldHaveSingleItem().Rate.ShouldBe(500, 25);
        Calls()["set"].ShouldBeInRange(1900, 2100);
        (await Run("redis-benchmark -p {port} -t set --rps 500 --as-original", 2)).Errors.ToString()
            .ShouldContain("--as-original, --rps");
    }

    [Fact]
    public async Task Threads_ThatCannotShareTheClientsEvenly_HaveAllOfThem()
    {
        var process = await Run("redis-benchmark -p {port} --threads 4 -c 50 -t set --duration 2");

        process.Output.Lines.ShouldContain("  threads: 4");
        (await Run("redis-benchmark -p {port} --threads 4 -c 3 -n 300 -q -t get")).Errors.ToString()
            .ShouldNotContain("NOT VALID");
        Calls()["get"].ShouldBe(300);
        // So many as were opened beside one of the service's own and that of this test.
        var opened = Ask("INFO", "stats").Split("total_connections_received:")[1].Split('\r')[0];
        int.Parse(opened).ShouldBeGreaterThanOrEqualTo(53);
    }

    [Fact]
    public async Task Loop_ThatIsTerminatedBetweenTwoTests_Ends()
    {
        for (var i = 0; i < 4; i++)
        {
            await using var process = ServiceProcess.Start(
                "Workloads", "redis-benchmark", "-p", Port, "-l", "-n", "100", "-q", "-t", "set");
            await Eventually.Is("it runs", () => process.Output.Lines.Count > 3);
            (await process.EndBy("TERM")).ShouldBe(143, process.ToString());
        }
    }

    [Fact]
    public async Task Tag_OfACommandOfOnesOwn_GoesToEveryMaster()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { ReplicasPerPrimary = 0 });

        await Run($"redis-benchmark -p {cluster.Servers[0].Port} --cluster -c 3 -n 900 -r 1000 -q "
            + "SET key:{tag}:__rand_int__ v");

        foreach (var server in cluster.Servers)
        {
            using var connection = cluster.Open(server);
            var sets = connection.Execute("INFO", "commandstats").Text.Split('\n')
                .Single(line => line.StartsWith("cmdstat_set:", StringComparison.Ordinal));
            int.Parse(sets.Split("calls=")[1].Split(',')[0]).ShouldBeInRange(200, 400);
            sets.ShouldContain("rejected_calls=0");
            connection.Execute("RANDOMKEY").Text.ShouldMatch(@"^key:\{.{3}\}:\d{12}$");
        }
    }

    [Theory]
    [InlineData("-t lpush")]
    [InlineData("-t sadd -r 1000")]
    [InlineData("-t set")]
    [InlineData("-r 1000 ZADD myzset:{tag} 1 element:__rand_int__")]
    public async Task Keys_OnACluster_AreOneOfEachMaster_AsInTheOriginal(string tests)
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { ReplicasPerPrimary = 0 });
        var line = $"-p {cluster.Servers[0].Port} --cluster -c 3 -n 600 -q {tests}";
        await RunOriginal("redis-benchmark", line);
        var original = Kinds();
        foreach (var server in cluster.Servers)
        {
            using var connection = cluster.Open(server);
            connection.Execute("FLUSHALL");
        }

        await Run($"redis-benchmark {line}");

        Kinds().ShouldBe(original);

        // What each master has: its keys, without their tags.
        List<string> Kinds() =>
        [
            .. cluster.Servers.Select(server =>
            {
                using var connection = cluster.Open(server);
                return string.Join(' ', connection.Execute("KEYS", "*").Items.Select(key => key.Text.Split('{')[0]));
            }),
        ];
    }

    [Fact]
    public async Task SeveralKeys_OnACluster_HaveOneTag()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { ReplicasPerPrimary = 0 });
        var line = $"-p {cluster.Servers[0].Port} --cluster -c 3 -n 300 -t mset,mget -q";

        var process = await Run($"redis-benchmark {line} -r 10000000");

        process.Output.Lines.Count(row => row.Contains("requests per second", StringComparison.Ordinal)).ShouldBe(2);
        var keys = cluster.Servers.Sum(server =>
        {
            using var connection = cluster.Open(server);
            return connection.Execute("DBSIZE").Number;
        });
        // Keys that are drawn twice are one.
        keys.ShouldBeInRange(2500, 3000);
        await Run($"redis-benchmark {line}");
    }

    [Fact]
    public async Task ErrorReply_EndsTheRun()
    {
        Ask("SET", "mylist", "text");

        var process = await Run("redis-benchmark -p {port} -t lpush -n 1000 -q", 4);

        process.Errors.ToString().ShouldContain("Error from server: WRONGTYPE Operation against a key");
    }

    [Fact]
    public async Task SeedsCommandLine_OnACluster_WritesToEveryMaster()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { ReplicasPerPrimary = 0, Password = "username:password" });
        var port = cluster.Servers[0].Port;

        var process = await Run($"redis-benchmark --threads 16 -r 10000000 -n 1000 -t set -h 127.0.0.1 -p {port} "
            + "-a username:password --cluster -c 256 -d 8 -P 2");

        var lines = process.Output.Lines;
        lines[0].ShouldBe("Cluster has 3 master nodes:");
        lines.Count(line => line.StartsWith("Master ", StringComparison.Ordinal)).ShouldBe(3);
        lines.ShouldContain("  cluster mode: yes (3 masters)");
        lines.ShouldContain("  threads: 16");
        RedisBenchmarkText.Parse([.. lines.SkipWhile(line => !line.StartsWith("======", StringComparison.Ordinal))])
            .ShouldHaveSingleItem().Requests.ShouldBe(1000);
        var keys = cluster.Servers.Select(server =>
        {
            using var connection = cluster.Open(server);
            return connection.Execute("KEYS", "*").Items.Select(key => key.Text).ToList();
        }).ToList();
        keys.ShouldAllBe(one => one.Count > 0);
        keys.SelectMany(one => one).ShouldAllBe(key => key.StartsWith("key:{", StringComparison.Ordinal));
    }

    private const int SecondAfterMs = 300;

    private static Dictionary<string, long> Known(IReadOnlyDictionary<string, long> calls) =>
        calls.Where(one => one.Key is not ("xadd" or "flushall")).ToDictionary();

    private static double P50Of(ServiceProcess process) =>
        OriginalOutput.NumberOf(process.Output.Lines
            .First(line => line.Contains("PING_MBULK", StringComparison.Ordinal)).Split("\",\"")[4]);

    private static IEnumerable<string> NamesOf(IEnumerable<string> rows) =>
        rows.Skip(1).Select(row => row.Split("\",\"")[0].Trim('"'));

    private static void AnswerInTwo(Socket client)
    {
        var buffer = new byte[4096];
        while (client.Receive(buffer) is > 0 and var length)
        {
            var text = System.Text.Encoding.ASCII.GetString(buffer, 0, length);
            var pings = text.Split("PING").Length - 1;
            if (pings == 0)
            {
                FakeServer.Say(client, "-ERR unknown command\r\n");
                continue;
            }

            FakeServer.Say(client, "+PONG\r\n");
            if (pings == 1)
                continue;
            using var later = new ManualResetEventSlim();
            later.Wait(SecondAfterMs);
            FakeServer.Say(client, string.Concat(Enumerable.Repeat("+PONG\r\n", pings - 1)));
        }
    }
}
