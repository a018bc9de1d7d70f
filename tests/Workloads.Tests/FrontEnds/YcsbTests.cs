using System.Text.Json;
using System.Text.RegularExpressions;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.FrontEnds;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>YCSB's command lines, beside what the original printed.</summary>
public partial class YcsbTests : FrontEndTest
{
    private const string Redis = "-p redis.host=127.0.0.1 -p redis.port={port}";

    [Fact]
    public async Task Text_HasTheMetricsOfTheOriginals_AndTheServersCounts()
    {
        const string Line = $"{Redis} -p recordcount=500 -p redis.command_group=string -threads 4 "
            + "-p hdrhistogram.percentiles=50,90,99,99.9 -P workloads/workloada";
        var load = await Run($"ycsb load redis {Line}");
        var run = await Run($"ycsb run redis {Line} -p operationcount=2000");

        Names(load.Output.Lines).ShouldBe(Names(OriginalOutput.Lines("ycsb-load.txt")));
        Names(run.Output.Lines).ShouldBe(Names(OriginalOutput.Lines("ycsb-run.txt")));
        var (loaded, ran) = (Values(load.Output.Lines), Values(run.Output.Lines));
        loaded["INSERT Return=OK"].ShouldBe(500);
        (ran["READ Return=OK"] + ran["UPDATE Return=OK"]).ShouldBe(2000);
        // The time is in whole milliseconds, of which the run may have taken few.
        (2000 * 1000 / ran["OVERALL Throughput(ops/sec)"]).ShouldBe(ran["OVERALL RunTime(ms)"], 1);
        Calls().ShouldBe(new Dictionary<string, long>
        {
            ["set"] = 500 + (long)ran["UPDATE Return=OK"],
            ["get"] = (long)ran["READ Return=OK"],
        }, ignoreOrder: true);
    }

    [Theory]
    [InlineData("workloada", "READ UPDATE")]
    [InlineData("workloadb", "READ UPDATE")]
    [InlineData("workloadc", "READ")]
    [InlineData("workloadd", "READ INSERT")]
    [InlineData("workloade", "INSERT SCAN")]
    [InlineData("workloadf", "READ UPDATE READ-MODIFY-WRITE")]
    public async Task WorkloadFile_WithBothKeyOrders_FindsEveryRecordThatWasLoaded(string file, string metrics)
    {
        foreach (var order in new[] { "hashed", "ordered" })
        {
            Ask("FLUSHALL");
            var line = $"-P workloads/{file} {Redis} -p insertorder={order} -p recordcount=300 -threads 2";
            await Run($"ycsb load redis {line}");
            Keys().Count.ShouldBe(301, "the records and _indices");
            Keys().ShouldContain(order == "hashed" ? "user6284781860667377211" : "user0");

            var run = await Run($"ycsb run redis {line} -p operationcount=600");

            var values = Values(run.Output.Lines);
            values.Keys.Select(key => key.Split(' ')[0]).Distinct()
                .Where(name => !name.StartsWith("TOTAL", StringComparison.Ordinal) && name != "OVERALL")
                .ShouldBe(metrics.Split(' '));
            values.Keys.ShouldNotContain(key => key.EndsWith("Return=ERROR", StringComparison.Ordinal), run.ToString());
            var whole = file == "workloadf" ? ["READ"] : metrics.Split(' ');
            whole.Sum(name => values[$"{name} Operations"]).ShouldBe(600);
        }
    }

    [Fact]
    public async Task Records_BeyondTwoToThe31_AreLoadedAndFound()
    {
        const string Line = $"{Redis} -p recordcount=5000000000 -p redis.command_group=string -p insertorder=ordered";
        await Run($"ycsb load redis {Line} -p insertstart=4999999500 -p insertcount=500 -P workloads/workloadc");
        Keys()[^1].ShouldBe("user4999999999");

        var run = await Run($"ycsb run redis {Line} -p insertstart=4999999500 -p insertcount=500 -p operationcount=300 "
            + "-P workloads/workloadc -p requestdistribution=uniform");
        var sparse = await Run($"ycsb run redis {Line} -p operationcount=300 -P workloads/workloadc");

        Values(run.Output.Lines)["READ Return=OK"].ShouldBe(300);
        Values(sparse.Output.Lines)["READ Operations"].ShouldBe(300);
    }

    [Fact]
    public async Task Inserts_BeginAfterAllRecords_AndUniformReadsStayBelow()
    {
        const string Line = $"{Redis} -p recordcount=400 -p insertorder=ordered -p redis.command_group=string";
        await Run($"ycsb load redis {Line} -p insertcount=100");

        var run = await Run($"ycsb run redis {Line} -p insertcount=100 -p operationcount=600 -p insertproportion=0.5 "
            + "-p readproportion=0.5 -p updateproportion=0");

        var values = Values(run.Output.Lines);
        Keys().Count.ShouldBe(100 + (int)values["INSERT Return=OK"]);
        Keys().ShouldContain("user400");
        Keys().ShouldNotContain("user100");
        values.Keys.ShouldNotContain("READ Return=ERROR");
    }

    [Fact]
    public async Task Load_FromInsertStartOn_HasAsManyRecordsAsRecordCountSays()
    {
        var line = $"ycsb load redis {Redis} -p recordcount=10 -p insertorder=ordered -p redis.command_group=string";

        await Run($"{line} -p insertstart=20");

        Keys().ShouldBe(Enumerable.Range(20, 10).Select(number => $"user{number}"));
        var run = line.Replace("load", "run", StringComparison.Ordinal);
        (await Run($"{run} -p operationcount=10 -p insertstart=20", 2)).Errors.ToString()
            .ShouldContain("insertstart: ");
    }

    [Fact]
    public async Task Load_EndsAfterItsLongestTime()
    {
        var load = await Run($"ycsb load redis {Redis} -p recordcount=100000000 -p maxexecutiontime=1 -p fieldcount=1 "
            + "-target 500", 0, 4);

        // How many of them a busy machine reaches is not what is asked: that it ends by time, long before all records.
        // What is due by then may be answered later, and the time is that until the last answer.
        var values = Values(load.Output.Lines);
        values["OVERALL RunTime(ms)"].ShouldBeGreaterThanOrEqualTo(1_000);
        values["INSERT Operations"].ShouldBeInRange(1, 510);
    }

    [Fact]
    public async Task Json_AndStatus_HaveTheFormOfTheOriginals()
    {
        var run = await Run(
            $"ycsb run redis -s {Redis} -p workload=site.ycsb.workloads.CoreWorkload -p recordcount=500 "
            + "-p operationcount=3000 -p readproportion=1 -p updateproportion=0 -p redis.command_group=string "
            + "-p measurement.interval=both -p status.interval=1 -p hdrhistogram.percentiles=95,99 -target 2000 "
            + "-p exporter=site.ycsb.measurements.exporter.JSONMeasurementsExporter -threads 8", 0, 4);

        var original = Objects(string.Join('\n', OriginalOutput.Lines("ycsb-json-both-intervals.txt")));
        var ours = Objects(string.Join('\n', run.Output.Lines));
        // Nothing was loaded: what is read is not there, which the binding calls an error.
        ours.Where(name => !name.Contains("Return=", StringComparison.Ordinal))
            .ShouldBe(original.Where(name => !IsOfJava(name) && !name.Contains("Return=", StringComparison.Ordinal)));
        var lines = OriginalOutput.Lines("ycsb-status.txt")
            .Where(line => line.Contains(" sec: ", StringComparison.Ordinal));
        lines.ShouldAllBe(line => Status().IsMatch(line));
        var status = run.Errors.Lines.Where(line => line.Contains(" sec: ", StringComparison.Ordinal)).ToList();
        status.Count.ShouldBeGreaterThanOrEqualTo(3);
        status.ShouldAllBe(line => Status().IsMatch(line));
        status[^1].ShouldContain(" 3000 operations; ");
    }

    [Fact]
    public async Task HistogramLog_HasTheHeadingAndTheMicrosecondsOfTheOriginals()
    {
        var run = await Run($"ycsb load redis {Redis} -p recordcount=500 -P workloads/workloadc "
            + "-p hdrhistogram.fileoutput=true -p hdrhistogram.output.path=log-");

        var path = Path.Combine(run.Folder, "log-INSERT.hdr");
        File.ReadLines(path).First().ShouldBe("#[Logging for: INSERT]");
        using var file = File.OpenRead(path);
        var interval = new IntervalLogReader(file).ReadAll().ToList().ShouldHaveSingleItem();
        interval.Histogram.TotalCount.ShouldBe(500);
        var longest = Values(run.Output.Lines)["INSERT MaxLatency(us)"];
        ((double)interval.Histogram.Max).ShouldBe(longest, 1 + (longest / 100));
    }

    [Theory]
    [InlineData("load redis -s -P workloads/workloada", "recordcount")]
    [InlineData("run redis -s -P workloads/workloadc -p requestdistribution=uniform", "operationcount")]
    [InlineData("run redis -s -P workloads/workloadc -p requestdistribution=zipfian", "operationcount")]
    [InlineData("run redis -s -P workloads/workloada -p requestdistribution=uniform", "operationcount")]
    public async Task SeedsCommandLines_RunUnchanged(string verb, string count)
    {
        var process = await Run($"ycsb {verb} {Redis} -p recordcount=200 -p operationcount=400 -p redis.timeout=30000 "
            + "-p redis.command_group=string -p fieldcount=1 -p fieldlength=100 -threads 32");

        var values = Values(process.Output.Lines);
        values.Where(value => value.Key.EndsWith(" Operations", StringComparison.Ordinal)).Sum(value => value.Value)
            .ShouldBe(count == "recordcount" ? 200 : 400);
    }

    [Theory]
    [InlineData("run redis -p redis.host=127.0.0.1 -p recordcuont=5", "-p recordcuont: neither YCSB's core")]
    [InlineData("run redis -P workloads/workloada", "redis.host is needed")]
    [InlineData("run mongodb -p redis.host=127.0.0.1 -P workloads/workloada", "the only database is redis")]
    [InlineData("run redis -p redis.host=127.0.0.1 -P nowhere/else", "-P nowhere/else: ")]
    [InlineData("run redis -p redis.host=127.0.0.1 -P /dev/zero", "-P /dev/zero: more than 1,048,576 bytes are in it")]
    [InlineData("shell redis -p redis.host=127.0.0.1", "shell: one of load, run is needed")]
    [InlineData("run redis -p redis.host=h -P workloads/workloada -p measurementtype=raw", "one of hdrhistogram")]
    [InlineData("load redis -p redis.host=127.0.0.1", "recordcount is needed")]
    [InlineData(
        "run redis -p redis.host=h -p recordcount=1 -P workloads/workloade -p operationcount=99999",
        "recordcount, requestdistribution: zipfian draws again")]
    public async Task Options_ThatCannotBe_EndWithTheOriginalsUsage(string line, string problem)
    {
        var process = await Run($"ycsb {line}", 2);

        process.Errors.ToString().ShouldContain(problem);
        process.Errors.Lines.ShouldContain("Usage: ycsb load|run redis [options]");
        process.Output.Lines.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("a=1", "a", "1")]
    [InlineData("  a : b c  ", "a", "b c  ")]
    [InlineData("a\\ b\tc", "a b", "c")]
    [InlineData("a=one, \\\n   two", "a", "one, two")]
    [InlineData("# note\n! note\n\na", "a", "")]
    [InlineData("# \u0085x=1\n\f! \u2028y=1\r\na=b\u0085\f\u2029c", "a", "b\u0085\f\u2029c")]
    [InlineData("\\u0061b=\\u00e9\\uD83D\\uDE00\\u12\r", "ab", "é\U0001F600u12")]
    public void PropertyFile_IsReadAsJavaReadsIt(string text, string name, string value) =>
        YcsbPropertyFile.Parse(text).ShouldBe([(name, value)]);

    [Theory]
    [InlineData(49701.78926441352, "49701.78926441352")]
    [InlineData(636.5, "636.5")]
    [InlineData(0, "0.0")]
    [InlineData(12, "12.0")]
    [InlineData(12345678.5, "1.23456785E7")]
    public void Double_IsWrittenAsJavaWritesIt(double number, string text) =>
        YcsbReport.Double(number).ShouldBe(text);

    // The measurements of the virtual machine, and of closing connections, that only the original has.
    private static bool IsOfJava(string name) => name.Contains("G1_", StringComparison.Ordinal)
        || name.Contains("CLEANUP", StringComparison.Ordinal);

    private static List<string> Names(IEnumerable<string> lines) =>
        [.. lines.Where(line => line.Length > 0).Select(line => string.Join(' ', line.Split(", ")[..2]))
            .Where(name => !IsOfJava(name)).Order(StringComparer.Ordinal)];

    private static Dictionary<string, double> Values(IEnumerable<string> lines) => lines
        .Select(line => line.Split(", "))
        .ToDictionary(parts => $"{parts[0].Trim('[', ']')} {parts[1]}", parts => OriginalOutput.NumberOf(parts[2]));

    private static List<string> Objects(string text)
    {
        using var all = JsonDocument.Parse($"[{text.Replace("} {", "}, {", StringComparison.Ordinal)}]");
        return
        [
            .. all.RootElement.EnumerateArray().Select(one =>
                $"{one.GetProperty("metric").GetString()} {one.GetProperty("measurement").GetString()}"),
        ];
    }

    [GeneratedRegex(@"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3} \d+ sec: \d+ operations; ([\d.]+ current ops/sec; )?"
        + @"(est completion in (\d+ (day|hour|minute|second)s? )+)?"
        + @"(\[[A-Z-]*(Intended-)?[A-Z-]+: Count=\d+, Max=\d+, Min=\d+, Avg=[\d.]+(, [\d.]+=\d+){4}\] )*$")]
    private static partial Regex Status();
}
