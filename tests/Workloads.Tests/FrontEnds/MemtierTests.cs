using System.Text.Json;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>memtier_benchmark's command lines, beside what the original printed and wrote.</summary>
public class MemtierTests : FrontEndTest
{
    [Theory]
    [InlineData("memtier.txt", "-t 2 -c 5 -n 200 -d 32 --ratio 1:1")]
    [InlineData("memtier-two-runs.txt", "-t 1 -c 2 --test-time 1 -x 2 --hide-histogram")]
    public async Task Text_HasTheShapeOfTheOriginals(string file, string line)
    {
        var process = await Run($"memtier -s 127.0.0.1 -p {{port}} {line}");

        var lines = process.Output.Lines;
        OriginalOutput.ShapeOf(lines).ShouldBe(OriginalOutput.ShapeOf(OriginalOutput.Lines(file)));
        // Columns are where they were: every line of a table is as long as its heading.
        var rows = lines.Where(IsOfTable).ToList();
        rows.ShouldNotBeEmpty();
        rows.ShouldAllBe(row => row.Length == 124);
        rows.Count.ShouldBe(OriginalOutput.Lines(file).Count(IsOfTable));
    }

    [Fact]
    public async Task Commands_OfOnesOwn_HaveTheTableOfTheOriginals()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "2", "-n", "500",
            "--command", "SET __key__ __data__", "--command", "INCR ctr", "--command-ratio", "2", "--hide-histogram",
            "--print-percentiles", "50,90,99.9");
        (await process.End()).ShouldBe(0, process.ToString());

        var original = OriginalOutput.Lines("memtier-commands.txt")
            .SkipWhile(line => !line.Contains("Threads", StringComparison.Ordinal));
        OriginalOutput.ShapeOf(process.Output.Lines).ShouldBe(OriginalOutput.ShapeOf(original));
        Calls().ShouldBe(new Dictionary<string, long> { ["set"] = 334, ["incr"] = 666 }, ignoreOrder: true);
        Ask("GET", "ctr").ShouldBe("666");
    }

    [Fact]
    public async Task Json_HasEveryKeyOfTheOriginals_AndNoPassword()
    {
        Ask("CONFIG", "SET", "requirepass", "s3cret");
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-a", "s3cret", "-t", "2", "-c", "5", "-n", "200",
            "--ratio=1:1", "--json-out-file", "out.json");
        (await process.End()).ShouldBe(0, process.ToString());

        var text = File.ReadAllText(Path.Combine(process.Folder, "out.json"));
        text.ShouldNotContain("s3cret");
        using var ours = JsonDocument.Parse(text);
        using var original = JsonDocument.Parse(File.ReadAllText(OriginalOutput.PathOf("memtier.json")));
        PathsOf(ours.RootElement).ShouldBe(PathsOf(original.RootElement));
        var sets = ours.RootElement.GetProperty("ALL STATS").GetProperty("Sets");
        sets.GetProperty("Count").GetInt64().ShouldBe(1000);
        var second = sets.GetProperty("Time-Serie").EnumerateObject()
            .Sum(one => one.Value.GetProperty("Count").GetInt64());
        second.ShouldBe(1000);
        var packed = sets.GetProperty("Percentile Latencies").GetProperty("Histogram log format")
            .GetProperty("Compressed Histogram").GetString()!;
        HistogramDecoder.Decode(Convert.FromBase64String(packed)).TotalCount.ShouldBe(1000);
    }

    [Fact]
    public async Task Json_HasTheUriWithoutItsPassword()
    {
        Ask("CONFIG", "SET", "requirepass", "s3cret");
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-u", $"redis://:s3cret@127.0.0.1:{Port}/2", "-t", "1", "-c", "1", "-n", "10",
            "--json-out-file", "out.json");
        (await process.End()).ShouldBe(0, process.ToString());

        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(process.Folder, "out.json")));
        json.RootElement.GetProperty("configuration").GetProperty("uri").GetString()
            .ShouldBe($"redis://:***@127.0.0.1:{Port}/2");
    }

    [Fact]
    public async Task Files_OfHistograms_HaveTheFormOfTheOriginals()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "2", "-c", "5", "-n", "200", "--ratio=1:1",
            "--hdr-file-prefix", "mt", "--hide-histogram");
        (await process.End()).ShouldBe(0, process.ToString());

        Shape("mt_FULL_RUN_1.txt").ShouldBe(Shape("memtier-full-run-percentiles.txt", isOriginal: true));
        foreach (var name in new[] { "SET_command_run_1", "GET_command_run_1", "FULL_RUN_1" })
            Lines($"mt_{name}.hgrm").Count(line => line.Contains(",HISTFAAA", StringComparison.Ordinal)).ShouldBe(1);
        var heads = Lines("mt_SET_command_run_1.hgrm").Take(2).Append(Lines("mt_SET_command_run_1.hgrm")[3]);
        var original = OriginalOutput.Lines("memtier-set-run.hgrm");
        heads.ShouldBe([original[0], original[1], original[3]]);

        string[] Lines(string name) => File.ReadAllLines(Path.Combine(process.Folder, name));

        List<string> Shape(string name, bool isOriginal = false) => OriginalOutput.ShapeOf(
            (isOriginal ? OriginalOutput.Lines(name) : Lines(name))
                .Where(line => !line.Contains("inf", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Requests_AreOfEachClient_AndThePatternsOfKeysOfEachOperation()
    {
        await Run("memtier -s 127.0.0.1 -p {port} -t 2 -c 3 -n allkeys --ratio 1:0 --key-pattern P:P --key-minimum 1 "
            + "--key-maximum 600 --key-prefix k{ --hide-histogram");

        Keys().Count.ShouldBe(600, "every key once");
        Keys().ShouldContain("k{600");
        Calls().ShouldBe(new Dictionary<string, long> { ["set"] = 600 });

        Ask("CONFIG", "RESETSTAT");
        await Run("memtier -s 127.0.0.1 -p {port} -t 2 -c 3 -n 40 --ratio 1:3 --key-pattern S:R --key-minimum 1 "
            + "--key-maximum 600 --key-prefix k{ --expiry-range 500-600 -d 7 --hide-histogram");

        Calls().ShouldBe(new Dictionary<string, long> { ["setex"] = 60, ["get"] = 180 }, ignoreOrder: true);
        Ask("STRLEN", "k{1").ShouldBe("7");
        Keys().Count(key => Ask("TTL", key) is not "-1").ShouldBe(10, "each connection writes the same first ten");
    }

    [Theory]
    [InlineData("-c 1 -t 1 --key-pattern S:S", 99)]
    [InlineData("-c 2 -t 1 --key-pattern S:S", 198)]
    [InlineData("-c 1 -t 1 --key-pattern P:P", 100)]
    public async Task AllKeys_AreAsManyRequestsAsInTheOriginal(string options, int requests)
    {
        await Run("memtier -s 127.0.0.1 -p {port} -n allkeys --ratio 1:0 --key-minimum 1 --key-maximum 100 "
            + $"--hide-histogram {options}");

        Calls().ShouldBe(new Dictionary<string, long> { ["set"] = requests });
    }

    [Fact]
    public async Task RateLimiting_OnACluster_IsOfEachConnectionToEachNode()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { ReplicasPerPrimary = 0 });

        var process = await Run($"memtier -s 127.0.0.1 -p {cluster.Servers[0].Port} --cluster-mode --rate-limiting 50 "
            + "-c 1 -t 1 -n 600 --ratio 1:0 --hide-histogram --json-out-file out.json", 0, 4);

        // Three nodes: the last of 150 a second is due after 4 s. Of one rate for all it would be after 12 s.
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(process.Folder, "out.json")));
        var all = json.RootElement.GetProperty("ALL STATS");
        all.GetProperty("Totals").GetProperty("Count").GetInt64().ShouldBe(600);
        all.GetProperty("Runtime").GetProperty("Total duration").GetInt64().ShouldBeInRange(3_990, 11_900);
    }

    [Fact]
    public async Task Commands_OfOnesOwn_AreQuotedAsTheOriginalReadsThem()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "1", "-n", "1", "--key-maximum",
            "1", "--key-minimum", "1", "--hide-histogram", "--command", @"""SET"" ""k\""\x41__key__"" '\'\n__data__'");
        (await process.End()).ShouldBe(0, process.ToString());

        NamesOfRows(process).ShouldBe(["Sets", "Totals"]);
        Keys().ShouldBe(["k\"Amemtier-1"]);
        Ask("GET", "k\"Amemtier-1").ShouldBe(@"'\n" + new string('x', 32));
    }

    [Fact]
    public async Task Commands_HaveTheirTurnsOnEachConnection()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "2", "-c", "5", "-n", "300",
            "--hide-histogram", "--command", "MULTI", "--command", "INCR __key__", "--command", "EXEC");
        (await process.End()).ShouldBe(0, process.ToString());
        Ask("INFO", "commandstats").Split('\n').Where(line => line.Contains("multi:") || line.Contains("exec:"))
            .ShouldAllBe(line => line.Contains("calls=1000,") && line.Contains("failed_calls=0"));

        await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 10 -n 1 --ratio 1:10 --hide-histogram");

        Calls()["set"].ShouldBe(10, "each connection begins with its set");
        Calls().Keys.ShouldNotContain("get");
    }

    [Fact]
    public async Task SeedsCommandLine_RunsUnchanged()
    {
        Ask("CONFIG", "SET", "requirepass", "pass");

        var process = await Run(
            "memtier -s 127.0.0.1 -p {port} -a pass -c 20 -d 32 --threads=10 --ratio=1:1 --test-time=1 --select-db=10");

        process.Output.Lines.Take(3).ShouldBe(
            ["10        Threads", "20        Connections per thread", "1         Seconds"]);
        process.Output.Lines.ShouldContain(line => line.StartsWith("Totals ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("S")]
    [InlineData("R")]
    public async Task MonitorInput_HasARowForEachCommandOfTheFile(string pattern)
    {
        var file = MonitorFile();

        var process = await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 2 -n 300 --hide-histogram "
            + $"--monitor-input {file} --command __monitor_line@__ --monitor-pattern {pattern}");

        process.Errors.Lines.ShouldContain("Loaded 3 monitor commands");
        process.Errors.ToString().ShouldContain("NOTE: RUN #1: 1 of 4 lines of ");
        NamesOfRows(process).ShouldBe(["Sets", "Gets", "Totals"]);
        var calls = Calls();
        calls.Keys.ShouldBe(["set", "get"], ignoreOrder: true);
        calls.Values.Sum().ShouldBe(600);
        if (pattern == "S")
            calls["set"].ShouldBe(400, "two of three lines");
        else
            calls["set"].ShouldBeInRange(330, 470);
        Ask("GET", "a b").ShouldBe("it's \"1\"");
        File.Delete(file);
    }

    [Fact]
    public async Task MonitorInput_LinesOfIt_AreCommandsOfTheirOwn()
    {
        var file = MonitorFile();

        var process = await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 1 -n 600 --hide-histogram "
            + $"--monitor-input {file} --command __monitor_line2__ --command __monitor_line4__ --command-ratio 3 "
            + "--command __monitor_line@__ --command-ratio 2");

        // Turns of six: line 2 once, line 4 three times, two of the file's three in sequence.
        NamesOfRows(process).ShouldBe(["Sets", "Gets", "Totals"]);
        Calls().ShouldBe(
            new Dictionary<string, long> { ["set"] = 100 + 134, ["get"] = 300 + 66 }, ignoreOrder: true);
        Ask("GET", "a b").ShouldBe("it's \"1\"");
        await Run($"memtier -s 127.0.0.1 -p {{port}} --monitor-input {file} --command __monitor_line1__", 2);
        await Run($"memtier -s 127.0.0.1 -p {{port}} --monitor-input {file} --command __monitor_line5__", 2);
        File.Delete(file);
    }

    [Fact]
    public async Task ErrorRepliesAndMisses_AreNoted_WhateverTheVerdict()
    {
        Ask("LPUSH", "list", "x");
        await using var process = ServiceProcess.Start(
            "Workloads", "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "1", "-n", "1000",
            "--hide-histogram", "--command", "GET __key__", "--command-ratio", "249", "--command", "INCR list");
        (await process.End()).ShouldBe(0, process.ToString());

        var errors = process.Errors.Lines;
        errors.ShouldContain(line => line.StartsWith("NOTE: RUN #1: 4 × WRONGTYPE for incr", StringComparison.Ordinal));
        errors.ShouldContain(line => line.StartsWith("NOTE: ", StringComparison.Ordinal)
            && line.Contains("of what get read was not there", StringComparison.Ordinal));
        errors.ShouldNotContain(line => line.StartsWith("WARNING: ", StringComparison.Ordinal)
            && line.Contains("WRONGTYPE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task AsOriginal_StepsByEightMicroseconds()
    {
        var process = await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 4 -n 500 --pipeline 4 --as-original");

        var steps = process.Output.Lines
            .Where(line => line.StartsWith("SET ", StringComparison.Ordinal)
                || line.StartsWith("GET ", StringComparison.Ordinal))
            .Select(line => (long)Math.Round(1000 * OriginalOutput.NumberOf(
                line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]))).ToList();
        steps.ShouldNotBeEmpty();
        steps.ShouldAllBe(us => us > 2_000 || (us + 1) % 8 == 0);
    }

    [Theory]
    [InlineData("--nonsense", "Invalid option \"--nonsense\"")]
    [InlineData("--key-m=1", "--key-m is ambiguous: --key-minimum, --key-maximum, --key-median")]
    [InlineData("-n 10 --test-time 5", "--test-time and --requests are mutually exclusive")]
    [InlineData("--key-pattern P:R", "--key-pattern: P is for both, or for none")]
    [InlineData("-P memcache_text", "one of redis, resp2, resp3 is needed")]
    [InlineData("--statsd-host x", "--statsd-host cannot be honoured: ")]
    [InlineData("--command __monitor_line1__", "--monitor-input has the file of its commands")]
    [InlineData("--monitor-input /dev/null", "--command __monitor_line1__ or __monitor_line@__ says what of it is sent")]
    [InlineData("--monitor-input /dev/null --command __monitor_line@__", "no line of it is a command")]
    [InlineData("--monitor-input /dev/zero --command __monitor_line@__", "more than 67,108,864 bytes are in it")]
    [InlineData("--key-stddev 5", "--key-stddev, --key-median: they are for the pattern G")]
    [InlineData("--key-pattern G:G --key-median 9 --key-maximum 8", "--key-median: it lies between --key-minimum and")]
    [InlineData("--rate-limiting 0", "--rate-limiting 0: ")]
    [InlineData("--monitor-pattern R", "--monitor-pattern R: it is for --command __monitor_line@__")]
    [InlineData("--data-offset 5 --expiry-range 10-20", "--data-offset, --expiry-range: parts of values cannot")]
    [InlineData("--data-offset 536870912", "--data-offset 536870912: ")]
    [InlineData("--data-offset 5 --multi-key-get 3", "--data-offset, --multi-key-get: MGET reads whole values")]
    [InlineData("--sni x --tls-skip-verify", "--sni, --tls-skip-verify: redis://127.0.0.1:")]
    [InlineData("--tls --cacert /no/file", "--cacert /no/file: there is no such file")]
    [InlineData("--ratio 1:2000000", "--ratio: turns of at most 1000000 requests are possible")]
    [InlineData("--ratio 99999:7 --wait-ratio 100000:1", "--ratio, --wait-ratio: turns of at most 1000000 requests")]
    [InlineData("--command-ratio 2", "they follow the --command that they are for")]
    public async Task Options_ThatCannotBe_EndWithTheOriginalsUsage(string line, string problem)
    {
        var process = await Run($"memtier -s 127.0.0.1 -p {{port}} {line}", 2);

        process.Errors.ToString().ShouldContain(problem);
        process.Errors.Lines.ShouldContain("Usage: memtier [options]");
        process.Output.Lines.ShouldBeEmpty();
    }

    private static string MonitorFile()
    {
        var file = Path.GetTempFileName();
        File.WriteAllText(file, """
            OK
            1700000000.100000 [0 127.0.0.1:50000] "SELECT" "0"
            1700000000.200000 [0 127.0.0.1:50000] "SET" "a b" "it's \"1\""
            1700000000.300000 [0 127.0.0.1:50000] "set" "other" "v"
            1700000000.400000 [0 127.0.0.1:50000] "GET" "missing"

            """);
        return file;
    }

    private static IEnumerable<string> NamesOfRows(ServiceProcess process) => process.Output.Lines
        .SkipWhile(line => !line.StartsWith("Type ", StringComparison.Ordinal)).Skip(2)
        .Select(line => line.Split(' ')[0]).TakeWhile(name => name.Length > 0);

    private static bool IsOfTable(string line) => line.Length > 100
        && new[] { "Type ", "Sets ", "Gets ", "Waits ", "Totals " }.Any(line.StartsWith);

    // Seconds are as many as the run takes; what a second or a step holds is the same in each.
    private static List<string> PathsOf(JsonElement element)
    {
        var paths = new SortedSet<string>(StringComparer.Ordinal);
        Walk(element, string.Empty);
        return [.. paths];

        void Walk(JsonElement one, string path)
        {
            switch (one.ValueKind)
            {
                case JsonValueKind.Object:
                    foreach (var property in one.EnumerateObject())
                        Walk(property.Value, $"{path}/{(int.TryParse(property.Name, out _) ? "N" : property.Name)}");
                    break;
                case JsonValueKind.Array:
                    foreach (var item in one.EnumerateArray())
                        Walk(item, $"{path}[]");
                    break;
                default:
                    paths.Add($"{path} {(one.ValueKind == JsonValueKind.Null ? JsonValueKind.String : one.ValueKind)}");
                    break;
            }
        }
    }
}
