using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Tool.Tests;

/// <summary><c>report merge</c> of real processes, and of more than there is memory for at once.</summary>
public sealed class MergeTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("merge").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Merge_OfTwoLoads_IsOneRun_AndNamesWhatItLeavesOut()
    {
        var results = Path.Combine(_root, "results");
        await using var first = Load("vm-1", results);
        await using var second = Load("vm-2", results);
        (await first.End()).ShouldBeOneOf([0, 4], first.ToString());
        (await second.End()).ShouldBeOneOf([0, 4], second.ToString());
        var parts = Directory.GetDirectories(results);
        var killed = Directory.CreateDirectory(Path.Combine(results, "29990101-000000-killed-x")).FullName;
        File.Copy(Path.Combine(parts[0], "latency.hlog"), Path.Combine(killed, "latency.hlog.partial"));
        var future = Directory.CreateDirectory(Path.Combine(results, "29990101-000001-future-x")).FullName;
        await File.WriteAllTextAsync(Path.Combine(future, "run.json"), """{"schemaVersion": 99}""", Cancellation);

        await using var merge = ServiceProcess.Start(
            "Tool", "report", "merge", results, parts[0], "--run", "night", "--out", Path.Combine(_root, "out"));

        (await merge.End()).ShouldBe(4, merge.ToString());
        var errors = merge.Errors.ToString();
        errors.ShouldContain($"Skipped: {killed}: the run was killed, or is still under way: what it lost is not");
        errors.ShouldContain("written in schema 99, newer than the 2 that this version reads");
        var instance = (await Record(parts[0]))["instance"]!.GetValue<string>();
        errors.ShouldContain(
            $"Skipped: {parts[0]}: {instance} is in it already: this process's results would be counted");
        var folder = Directory.GetDirectories(Path.Combine(_root, "out")).ShouldHaveSingleItem();
        Path.GetFileName(folder).ShouldEndWith("-night-merged");
        var record = await Record(folder);
        var sent = 0.0;
        foreach (var part in parts)
            sent += (await Record(part))["metrics"]!["2.sent"]!.GetValue<double>();
        record["metrics"]!["2.sent"]!.GetValue<double>().ShouldBe(sent);
        record["metrics"]!["2.service.count"]!.GetValue<double>()
            .ShouldBe(record["metrics"]!["2.returned"]!.GetValue<double>());
        record["partialReason"]!.GetValue<string>().ShouldBe("3 of what was to be merged is not in it");
        record["exitCode"]!.GetValue<int>().ShouldBe(4);

        await using var page = ServiceProcess.Start("Tool", "report", folder);
        (await page.End()).ShouldBe(0, page.ToString());
    }

    [Fact]
    public async Task Merge_OfTenThousandLogs_FitsInMemoryOfAHundred()
    {
        const int Parts = 10_000;
        var template = await Template();
        for (var part = 0; part < Parts; part++)
            Write(template, part);

        // All logs at once would take seventeen times as much, one histogram of each alone 270 kB.
        await using var merge = ServiceProcess.StartShell(
            $"DOTNET_GCHeapHardLimit=0xA000000 exec \"$PROGRAM\" report merge '{_root}/parts' --out '{_root}/out'");

        (await merge.End()).ShouldBe(0, merge.ToString());
        var folder = Directory.GetDirectories(Path.Combine(_root, "out")).ShouldHaveSingleItem();
        var record = await Record(folder);
        record["metrics"]!["rtt.count"]!.GetValue<double>().ShouldBe(Parts * 30);
        record["mergedFrom"]!.AsArray().Count.ShouldBe(Parts);
    }

    [Fact]
    public async Task Merge_OfNothing_SaysSo()
    {
        await using var merge = ServiceProcess.Start("Tool", "report", "merge", _root);

        (await merge.End()).ShouldBe(2, merge.ToString());

        merge.Errors.ToString().ShouldContain("there is nothing to merge");
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static ServiceProcess Load(string instance, string results) => ServiceProcess.Start(
        "Tool", "load", "--records", "1000", "--duration", "1s", "--clients", "2", "--threads", "1", "--run", "night",
        "--instance", instance, "--out", results, "-q");

    private static async Task<JsonNode> Record(string folder) =>
        JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(folder, "run.json"), Cancellation))!;

    // A real Producer's record with one series.
    private async Task<JsonNode> Template()
    {
        await using var run = ServiceProcess.Start(
            "Tool", "producer", "--rate", "100", "-n", "30", "-q", "--out", Path.Combine(_root, "one"));
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var record = await Record(Directory.GetDirectories(Path.Combine(_root, "one")).ShouldHaveSingleItem());
        record["verdict"]!["status"] = "Valid";
        record["exitCode"] = 0;
        var summary = record["summaries"]![0]!;
        summary["oneWay"] = new JsonArray();
        var series = summary["latencies"]!.AsArray()
            .Single(one => one!["name"]!.GetValue<string>() == "rtt")!.DeepClone();
        series["count"] = 30;
        series["missing"] = 0;
        summary["latencies"] = new JsonArray(series);
        return record;
    }

    private void Write(JsonNode template, int part)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_root, "parts", $"part-{part:0000}")).FullName;
        template["instance"] = $"vm-{part}";
        using var file = File.Create(Path.Combine(folder, "latency.hlog"));
        var start = DateTimeOffset.FromUnixTimeSeconds(1_795_252_123);
        var log = new IntervalLogWriter(file, start, "test");
        var values = LatencyHistogram.ForLatency();
        for (var i = 0; i < 10; i++)
            values.Record(1_000 * (part + i));
        for (var second = 0; second < 3; second++)
            log.Write("rtt", start.AddSeconds(second), TimeSpan.FromSeconds(1), values);
        var series = template["summaries"]![0]!["latencies"]![0]!;
        (series["min"], series["mean"], series["max"]) = (values.Min, values.Mean, values.Max);
        foreach (var number in (string[])["value", "lower", "upper"])
            series["percentiles"]![0]![number] = values.ValueAtPercentile(50);
        File.WriteAllText(Path.Combine(folder, "run.json"), template.ToJsonString());
    }
}
