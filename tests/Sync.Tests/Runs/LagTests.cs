using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Sync.Tests.Runs;

public class LagTests
{
    [Fact]
    public async Task Lag_IsFromWhenACommandCame_AndNotFromTheOneBefore()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();

        for (var i = 0; i < 9; i++)
        {
            await Task.Delay(300, TestContext.Current.CancellationToken);
            pair.From.Execute("SET", "key", $"{i}");
        }

        await process.Until("the last is there", () => pair.To.Execute("GET", "key").Text == "8");
        var (_, record) = await process.EndBy("INT").End(process);
        record.Series("lag")["count"]!.GetValue<long>().ShouldBe(10);
        record.Mean("lag").ShouldBeLessThan(150e6);
    }

    [Fact]
    public async Task Rate_IsThatOfWhatTheTargetGets()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", "for i = 1, 60 do redis.call('SET', i, 1) end", "0");
        await using var process = ServiceProcess.Start(
            "Sync", "sync", "--source", pair.Source.Uri, "--destination", pair.Target.Uri, "--no-stream",
            "--rate", "20", "--live", "plain", "--details");

        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 0);

        KeyContents.CountIn(pair.To).ShouldBeLessThan(40);
        (await process.End()).ShouldBe(0, process.ToString());
        KeyContents.CountIn(pair.To).ShouldBe(60);
        process.Errors.ToString().ShouldMatch(@"\n +0:0[1-9] ");
        process.Output.ToString().ShouldMatch("target target: [^;]+; raw [^,]+\n");
    }

    // The answer with the value is long on its way.
    [Fact]
    public async Task Lag_OfAChangeThatIsFollowed_IsFromWhenItWasTold()
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "AE"]);
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, pair.Source, new LinkSettings { Delay = TimeSpan.FromMilliseconds(250) });
        pair.From.Execute("SET", "first", "1");
        await using var process = SyncProcess.Start(
            "scan", $"redis://127.0.0.1:{port}", pair.Target.Uri, "--follow", "--on-existing", "rewrite");
        await process.Until("the first key is there", () => pair.To.Execute("EXISTS", "first").Number == 1);

        for (var i = 0; i < 5; i++)
        {
            pair.From.Execute("SET", "key", $"{i}");
            await process.Until("it is there", () => pair.To.Execute("GET", "key").Text == $"{i}");
        }

        var (_, record) = await process.EndBy("INT").End(process);
        record.Series("lag")["max"]!.GetValue<double>().ShouldBeGreaterThan(200e6);
    }

    // What is taken from the link and has not its turn yet is in none of the counts of what waits.
    [Fact]
    public async Task Status_IsConsistentOnlyWhenAllThatWasReceivedIsThere()
    {
        const int Keys = 1000;
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--rate", "300", "--metrics", "http://127.0.0.1:0");
        using var client = new HttpClient { BaseAddress = await process.MetricsAddress() };
        for (var i = 0; i < Keys; i++)
            pair.From.Execute("SET", $"key:{i}", new string('x', 1000)); // More than is taken at once.
        var info = pair.From.Execute("INFO", "replication").Text;
        var sent = long.Parse(Regex.Match(info, @"master_repl_offset:(\d+)").Groups[1].Value);

        var received = 0L;
        await process.Until("all is there", () =>
        {
            var status = JsonNode.Parse(client.GetStringAsync("/status").GetAwaiter().GetResult())!;
            var now = status["reader"]!["aof_received_offset"]!.GetValue<long>();
            now.ShouldBeGreaterThanOrEqualTo(received);
            received = now;
            status["reader"]!["applied_offset"]!.GetValue<long>().ShouldBeLessThanOrEqualTo(now);
            if (!status["consistent"]!.GetValue<bool>() || now < sent)
                return false;
            pair.To.Execute("EXISTS", $"key:{Keys - 1}").Number.ShouldBe(1);
            return true;
        });
    }

    [Fact]
    public async Task Run_ForWhichNothingComes_IsReady()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--metrics", "http://127.0.0.1:0");
        using var client = new HttpClient { BaseAddress = await process.MetricsAddress() };
        async Task<string> Readiness()
        {
            using var response = await client.GetAsync("/readyz", TestContext.Current.CancellationToken);
            return await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        }

        // Longer than a target may be silent.
        for (var i = 0; i < 14; i++)
        {
            await Task.Delay(500, TestContext.Current.CancellationToken);
            (await Readiness()).ShouldBe("ok\n");
        }

        pair.To.Execute("CLIENT", "PAUSE", "60000", "WRITE");
        pair.From.Execute("SET", "key", "1");
        await process.Until("the target is silent", () => Readiness().Result.Contains("nothing came back"));
        pair.To.Execute("CLIENT", "UNPAUSE");
        await process.Until("it is ready again", () => Readiness().Result == "ok\n");
    }

    // Of the cluster one shard has most.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ProgressAndRate_AreThoseOfAllThatTheTargetGets(bool fromCluster)
    {
        // In percent, which are whole.
        const int Room = 1;
        const int Keys = 200;
        await using var source = await Ends.Start(fromCluster);
        await using var target = await RedisServerProcess.Start();
        foreach (var (tag, count) in (KeyValuePair<string, int>[])[new("{a}", 180), new("{b}", 10), new("{c}", 10)])
        {
            for (var i = 0; i < count; i++)
                source.Execute(tag, "SET", $"{tag}{i}", "1");
        }

        await using var process = ServiceProcess.Start(
            "Sync", "scan", "--source", source.Uri, "--destination", target.Uri, "--rate", "60",
            "--live", "rich");
        (await process.End()).ShouldBe(0, process.ToString());

        var frames = Regex.Matches(process.Output.ToString(), @"[█░] +(\d+) %(?s:.*?)read (\d+)   written (\d+)");
        frames.Count(frame => frame.Groups[2].Value != frame.Groups[3].Value).ShouldBeGreaterThan(1);
        frames.ShouldAllBe(frame => Math.Abs(int.Parse(frame.Groups[1].Value)
            - (100.0 * int.Parse(frame.Groups[3].Value) / Keys)) <= Room);
        var last = Regex.Matches(process.Output.ToString(), @"MEASURE.*?0:(\d\d)").Last().Groups[1].Value;
        int.Parse(last).ShouldBeLessThan(7);
    }

    [Fact]
    public async Task Status_OfWhatWaits_SaysForHowLong()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--rate", "10", "--metrics", "http://127.0.0.1:0");
        using var client = new HttpClient { BaseAddress = await process.MetricsAddress() };

        for (var i = 0; i < 5; i++)
            pair.From.Execute("SET", $"key:{i}", "1");
        pair.From.Execute("MULTI");
        for (var i = 0; i < 40; i++)
            pair.From.Execute("INCR", "count");
        pair.From.Execute("EXEC");
        await process.Until("some wait for long", () => Status()["lag_ms"]!.GetValue<double>() > 1000);
        await process.Until("all is there", () => Status()["consistent"]!.GetValue<bool>());

        var counts = Status()["per_cmd_entries_count"]!;
        counts["INCR"]!["write_count"]!.GetValue<long>().ShouldBe(40);
        counts["INCR"]!["read_count"]!.GetValue<long>().ShouldBe(40);

        JsonNode Status() => JsonNode.Parse(client.GetStringAsync("/status").GetAwaiter().GetResult())!;
    }
}
