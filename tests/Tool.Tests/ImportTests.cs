using System.Diagnostics;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>Other tools' results among our own: measured, imported, listed, compared, and written again.</summary>
public sealed class ImportTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("import").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task RedisBenchmark_ReallyRun_IsImportedFromBothForms()
    {
        await using var server = await RedisServerProcess.Start();
        var (text, csv) = (
            await Benchmark(server, "-n", "5000"), await Benchmark(server, "-n", "5000", "--csv"));

        var fromText = await Import("benchmark.txt", text, "old/text");
        var fromCsv = await Import("benchmark.csv", csv, "old/csv");

        foreach (var record in new[] { fromText, fromCsv })
        {
            record["verdict"]!["status"]!.GetValue<string>().ShouldBe("NotJudged");
            record["imported"]!["resolutionNs"]!.GetValue<long>().ShouldBe(8_000);
            foreach (var metric in new[] { "set.service.p50", "get.service.p99", "set.throughput", "get.service.max" })
                record["metrics"]![metric]!.GetValue<double>().ShouldBeGreaterThan(0);
        }

        fromText["metrics"]!["set.service.count"]!.GetValue<double>().ShouldBe(5_000);
        fromCsv["metrics"]!["set.service.count"].ShouldBeNull();
        await using var list = ServiceProcess.Start(
            "Tool", "report", "list", $"{_root}/old/text", $"{_root}/old/csv");
        (await list.End()).ShouldBe(0, list.ToString());
        list.Output.Lines.Count(line => line.Contains("NOT JUDGED", StringComparison.Ordinal)).ShouldBe(2);
        await using var compare = ServiceProcess.Start(
            "Tool", "report", "compare", $"{_root}/old/text", $"{_root}/old/csv");
        (await compare.End()).ShouldBe(0, compare.ToString());
        compare.Output.ToString().ReplaceLineEndings(" ").ShouldContain("values step by");
        foreach (var folder in new[] { "old/text", "old/csv" })
        {
            await using var page = ServiceProcess.Start(
                "Tool", "report", $"{_root}/{folder}", "--file", $"{_root}/page.html");
            (await page.End()).ShouldBe(0, page.ToString());
            var html = await File.ReadAllTextAsync($"{_root}/page.html", Cancellation);
            html.ShouldContain("Imported from redis-benchmark");
            html.ShouldContain("set.service");
            html.ShouldNotContain("redis-latency load");
            html.ShouldNotContain("NaN");
        }
    }

    [Fact]
    public async Task ALoad_WrittenAsMemtierAndYcsbWrite_IsReadAgain()
    {
        await using var load = ServiceProcess.Start(
            "Tool", "load", "--records", "1000", "--duration", "1s", "--clients", "2", "--threads", "1", "--out",
            $"{_root}/own", "-q");
        (await load.End()).ShouldBeOneOf([0, 4], load.ToString());
        var own = Directory.GetDirectories($"{_root}/own").ShouldHaveSingleItem();
        var measured = await Record(own);
        // Loading is the first phase; YCSB prints one.
        foreach (var (form, mark) in new[] { ("memtier", "run."), ("ycsb", "") })
        {
            await using var show = ServiceProcess.Start("Tool", "report", "show", own, "--format", form);
            (await show.End()).ShouldBe(0, show.ToString());

            var imported = await Import($"{form}.txt", $"{show.Output}\n", form);

            imported["metrics"]![$"{mark}returned"]!.GetValue<double>()
                .ShouldBe(measured["metrics"]!["2.returned"]!.GetValue<double>());
            imported["metrics"]![$"{mark}throughput"]!.GetValue<double>()
                .ShouldBe(measured["metrics"]!["2.throughput"]!.GetValue<double>(), 1);
        }
    }

    [Theory]
    [InlineData("nothing", "not a result that is known here")]
    [InlineData("{\"ALL STATS\":", "not valid JSON: line 1, byte 14; see whether")]
    public async Task WhatCannotBeImported_IsToldInASentence(string text, string problem)
    {
        await File.WriteAllTextAsync($"{_root}/file", text, Cancellation);

        await using var import = ServiceProcess.Start(
            "Tool", "report", "import", $"{_root}/file", "--out", _root);

        (await import.End()).ShouldBe(2, import.ToString());
        import.Errors.ToString().ShouldStartWith($"{_root}/file: {problem}");
        Directory.GetDirectories(_root).ShouldBeEmpty();
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static async Task<string> Benchmark(RedisServerProcess server, params string[] arguments)
    {
        var start = new ProcessStartInfo(ServerRequirement.Require("redis-benchmark")) { RedirectStandardOutput = true };
        var port = server.Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
        foreach (var word in (string[])["-p", port, "-t", "set,get", .. arguments])
            start.ArgumentList.Add(word);
        using var process = Process.Start(start)!;
        var text = await process.StandardOutput.ReadToEndAsync(Cancellation);
        await process.WaitForExitAsync(Cancellation);
        process.ExitCode.ShouldBe(0);
        return text;
    }

    private async Task<JsonNode> Import(string name, string text, string folder)
    {
        await File.WriteAllTextAsync($"{_root}/{name}", text, Cancellation);
        await using var import = ServiceProcess.Start(
            "Tool", "report", "import", $"{_root}/{name}", "--out", $"{_root}/{folder}");
        (await import.End()).ShouldBe(0, import.ToString());
        return await Record(import.Output.Lines[0]);
    }

    private static async Task<JsonNode> Record(string folder) =>
        JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(folder, "run.json"), Cancellation))!;
}
