using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Integration.Workloads;

/// <summary>What Workloads says that it did is what the server counted.</summary>
public class CountTests : WorkloadTest
{
    [Fact]
    public async Task Load_WritesEveryRecordOnce_InYcsbsKeys()
    {
        var run = await Load(3_001, "--threads", "2", "--connections", "5", "--pipeline", "3", "--value-size", "37");

        Ask("DBSIZE").ShouldBe("3002", "the records, and the note of them");
        CallsOf("set").ShouldBe(3_001);
        Ask("STRLEN", "user6284781860667377211").ShouldBe("37");
        run.Count(Counted.Sent).ShouldBe(3_001);
        run.Count(Counted.Returned).ShouldBe(3_001);
        run.Series("insert-service").Count.ShouldBe(3_001);
        run.Merged("insert-service").TotalCount.ShouldBe(3_001);
        var workload = run.Summary.Workload.ShouldNotBeNull();
        run.Count(Counted.KeysBefore).ShouldBe(0);
        run.Count(Counted.KeysAfter).ShouldBe(3_001);
        workload.ServerCommands.ShouldHaveSingleItem().Calls.ShouldBe(3_001);
    }

    [Theory]
    [InlineData("a")]
    [InlineData("d")]
    [InlineData("e")]
    [InlineData("f")]
    public async Task Workload_OnLoadedRecords_ReadsWhatIsThere_AndCountsAsTheServerDoes(string workload)
    {
        await Load(2_000);
        var setsBefore = CallsOf("set");

        var run = await Run(
            0, "run", "--workload", workload, "--records", "2000", "--operations", "4000", "--warmup", "0s");

        run.Count(Counted.Sent).ShouldBe(4_000);
        run.Count(Counted.Returned).ShouldBe(4_000);
        var sets = new[] { "update", "insert", "rmw" }.Sum(name => CompletedOf(run, name));
        CallsOf("set").ShouldBe(setsBefore + sets);
        CallsOf("get").ShouldBe(CompletedOf(run, "read") + CompletedOf(run, "rmw"));
        CallsOf("mget").ShouldBe(CompletedOf(run, "scan"));
        Ask("DBSIZE").ShouldBe(Text(2_001 + CompletedOf(run, "insert")));
        if (run.Summary.Count(Counted.Misses, "read") is { } misses)
        {
            misses.ShouldBe(0);
            run.Summary.Count(Counted.Hits, "read").ShouldBe(run.Summary.Count(Counted.Completed, "read"));
        }

        run.Summary.Latencies[1].Count.ShouldBe(run.Merged(run.Summary.Latencies[1].Name).TotalCount);
        var schema = JsonNode.Parse(
            File.ReadAllText(RepositoryRoot.Combine("docs", "run-record.schema.json")))!.AsObject();
        var file = Path.Combine(run.Folder, ResultsFolder.RunRecordName);
        SchemaCheck.Violations(schema, JsonNode.Parse(File.ReadAllText(file))).ShouldBeEmpty();
    }

    [Fact]
    public async Task Rate_IsAskedFor_AndEveryOperationIsInTheResponseTimes()
    {
        await Load(500);

        // A machine that stalls at the end makes it invalid (4), and the counts no less right.
        var run = await Run(
            [0, 4], "run", "--records", "500", "--mix", "get=1", "--rate", "2000", "--operations", "3000",
            "--warmup", "0s",
            "--threshold", "response.max<1h", "--threshold", "get-service.p50<1h");

        run.Count(Counted.Asked).ShouldBe(3_000);
        run.Count(Counted.Unsent).ShouldBe(0);
        run.Series("response").Count.ShouldBe(3_000);
        run.Series("lateness").Count.ShouldBe(3_000);
        run.Summary.Rates.Asked.ShouldBe(2_000);
        run.Record.Thresholds.ShouldAllBe(threshold => threshold.Held == true);
    }

    /// <summary>So many operations take so many intervals, not one less.</summary>
    [Fact]
    public async Task Rate_OfFewOperations_IsNotMoreThanWasAsked()
    {
        var run = await Run(
            [0, 4], "run", "--records", "5", "--mix", "get=1", "--rate", "5", "--operations", "2", "--warmup", "0s",
            "--threshold", "rate<=100.1%", "--threshold", "throughput<5.1");

        run.Summary.Rates.Achieved.ShouldNotBeNull().ShouldBeLessThanOrEqualTo(5);
        run.Summary.DurationNs.ShouldNotBeNull().ShouldBeGreaterThanOrEqualTo(400_000_000);
        run.Record.Thresholds.ShouldAllBe(threshold => threshold.Held == true);
    }

    [Fact]
    public async Task Rate_ThatCannotBeKept_IsNotValid_AndWhatWasNotSentIsCounted()
    {
        var run = await Run(
            4, "run", "--records", "500", "--mix", "get=1", "--rate", "1m", "--duration", "1s", "--warmup", "0s",
            "--connections", "1", "--max-in-flight", "1");

        run.Count(Counted.Asked).ShouldBe(1_000_000);
        run.Count(Counted.Unsent).ShouldBe(1_000_000 - run.Count(Counted.Sent));
        run.Count(Counted.Unsent).ShouldNotBeNull().ShouldBeGreaterThan(0);
        run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("the schedule could not be kept"));
    }

    // How many arrive in a time is chance; this seed has fewer than nine of ten.
    [Fact]
    public async Task Rate_OfRandomArrivals_IsJudgedByWhatWasDue()
    {
        var run = await Run(
            [0, 4], "run", "--records", "500", "--mix", "get=1", "--rate", "25", "--arrival", "poisson", "--seed", "1",
            "--duration", "2s", "--warmup", "0s");

        run.Count(Counted.Asked).ShouldNotBeNull().ShouldBeLessThan(45);
        run.Record.Verdict.Reasons.ShouldNotContain(reason => reason.Contains("the schedule could not be kept"));
    }

    [Fact]
    public async Task Rate_OfLessThanASecond_IsJudgedByWhatWasDone()
    {
        // So far apart that a machine that stands still for a moment leaves no queue.
        var run = await Run(
            0, "run", "--records", "500", "--mix", "get=1", "--rate", "100", "--operations", "20", "--warmup", "0s");

        run.Count(Counted.Returned).ShouldBe(20);
        run.Record.Verdict.Reasons.ShouldNotContain(reason => reason.Contains("the schedule could not be kept"));
    }

    [Fact]
    public async Task Verify_FindsWhatSomebodyElseWrote()
    {
        await Load(100, "--value", "deterministic");
        var right = await Run(
            0, "run", "--records", "100", "--workload", "a", "--operations", "2000", "--warmup", "0s", "--verify");
        Ask("SET", "user6284781860667377211", new string('x', 100));

        var wrong = await Run(
            99, "run", "--records", "100", "--workload", "c", "--keys", "sequential", "--operations", "100",
            "--warmup", "0s", "--verify");

        right.Count(Counted.Mismatched).ShouldBe(0);
        wrong.Count(Counted.Mismatched).ShouldBe(1);
        wrong.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("are not what this workload wrote"));
    }

    [Fact]
    public async Task Server_ThatSaysMuchOfItself_IsMeasured()
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--databases", "4000");
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            connection.Execute(
                "EVAL", "for db = 1, 3999 do redis.call('SELECT', db) redis.call('SET', 'k', 'v') end", "0");
        }

        await using var process = ServiceProcess.Start(
            "Workloads", "run", "--redis", server.Uri, "--records", "10", "--operations", "500", "--warmup", "0s");
        (await process.End()).ShouldBe(0, process.ToString());
        SavedRun.Of(process).Count(Counted.Completed).ShouldBe(500);
    }

    [Fact]
    public async Task Commands_WithPlaceholders_AreSentAsTheyAreWritten()
    {
        var run = await Run(
            0, "run", "--records", "10", "--key-form", "item:{0:D3}", "--keys", "sequential", "--value-size", "5",
            "--value",
            "constant", "--command", "SET __key__ __data__=1", "--command", "APPEND log __data__=2", "--mix-order",
            "cyclic",
            "--operations", "300", "--warmup", "0s");

        run.Summary.Workload!.Operations
            .Select(operation => (operation.Name, run.Summary.Count(Counted.Completed, operation.Name)))
            .ShouldBe([("set", 100L), ("append", 200L)]);
        Ask("GET", "item:000").ShouldBe("xxxxx");
        Ask("STRLEN", "log").ShouldBe("1000");
    }

    [Fact]
    public async Task Repeat_MeasuresTheSameAgain_EachTimeAsAPhase()
    {
        var run = await Run(
            0, "run", "--records", "10", "--mix", "get=1", "--operations", "50", "--warmup", "0s", "--repeat", "3",
            "--percentiles", "75");

        run.Record.Summaries.Select(phase => (phase.Name, phase.Count(Counted.Returned)))
            .ShouldBe([("run", 50), ("run 2", 50), ("run 3", 50)]);
        run.Record.Summaries[2].Latencies[0].Percentiles.Select(row => row.Percentile).ShouldContain(75);
        CallsOf("get").ShouldBe(150);
    }

    [Fact]
    public async Task Replay_OfWhatMonitorPrinted_SendsItAgain_AndSaysWhatItLeavesOut()
    {
        ServerRequirement.Require("redis-cli");
        var file = Path.GetTempFileName();
        await using var monitor = ServiceProcess.StartShell($"exec redis-cli -u '{Server.Uri}' monitor >'{file}'");
        await Until(file, "OK");
        Ask("SET", "a\r\n\"b", "\u0001v");
        Ask("EVAL", "return redis.call('INCR', KEYS[1])", "1", "counter");
        Ask("SELECT", "0");
        Ask("GET", "the last one");
        await Until(file, "the last one");
        monitor.Signal("KILL");
        await monitor.End();
        Ask("FLUSHALL");
        Ask("CONFIG", "RESETSTAT");

        var run = await Run(
            0, "run", "--replay", file, "--operations", "30", "--warmup", "0s", "--threads", "1", "--details");

        (CallsOf("set"), CallsOf("eval"), CallsOf("incr"), CallsOf("get")).ShouldBe((10, 10, 10, 10));
        Ask("GET", "a\r\n\"b").ShouldBe("\u0001v");
        Ask("GET", "counter").ShouldBe("10", "as often as the script was sent");
        run.Record.Verdict.Reasons.ShouldContain(note => note.Contains("lines of", StringComparison.Ordinal)
            && note.Contains("were run by a script", StringComparison.Ordinal));
        File.Delete(file);
    }

    private static async Task Until(string file, string text)
    {
        while (!(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken))
            .Contains(text, StringComparison.Ordinal))
        {
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }

    private static long CompletedOf(SavedRun run, string name) => run.Summary.Count(Counted.Completed, name) ?? 0;
}
