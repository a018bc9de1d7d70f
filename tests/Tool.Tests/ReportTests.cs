using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>What <c>redis-latency report</c> says of what real runs left behind.</summary>
public sealed class ReportTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task List_NamesEachRun_AndWhatItSkips()
    {
        await using var run = ServiceProcess.Start("Tool", "producer", "--rate", "100", "-n", "50", "-q");
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var results = Path.Combine(run.Folder, "results");
        var whole = Directory.GetDirectories(results).ShouldHaveSingleItem();
        var killed = Directory.CreateDirectory(Path.Combine(results, "29990101-000000-killed-x")).FullName;
        File.Copy(Path.Combine(whole, "latency.hlog"), Path.Combine(killed, "latency.hlog.partial"));
        var future = Directory.CreateDirectory(Path.Combine(results, "29990101-000001-future-x")).FullName;
        await File.WriteAllTextAsync(
            Path.Combine(future, "run.json"), """{"schemaVersion": 99}""", Cancellation);

        await using var list = ServiceProcess.Start("Tool", "report", "list", results);

        (await list.End()).ShouldBe(4, list.ToString());
        list.Output.Lines[1].ShouldMatch(@"^\S+-default-\S+ +127\.0\.0\.1:\d+ +(VALID( to p[0-9.]+)?|DOUBTFUL|NOT VALID) +~?\d");
        list.Output.Lines[2].ShouldMatch("^29990101-000000-killed-x +- +killed, or under way");
        list.Errors.ToString().ShouldContain("Skipped: ");
        list.Errors.ToString().ShouldContain("written in schema 99, newer than the 2 that this version reads");
    }

    // Polls so far apart tell an interval, and no value.
    [Fact]
    public async Task List_OfADelayThatIsAnInterval_NamesItsEnds()
    {
        await using var run = ServiceProcess.Start(
            "Tool", "replication", "delay", "--keys", "100", "--rate", "200", "--warmup", "0", "-q",
            "--poll-interval", "300ms", "--source", "in-process", "--threshold", "delay.p50<1h", "--threshold",
            "delay.max<1h");
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var results = Path.Combine(run.Folder, "results");

        await using var list = ServiceProcess.Start("Tool", "report", "list", results);
        await using var page = ServiceProcess.Start(
            "Tool", "report", Directory.GetDirectories(results).ShouldHaveSingleItem(), "--format", "markdown");

        (await list.End()).ShouldBe(0, list.ToString());
        list.Output.ToString().ShouldMatch(@"s\.\.\d");
        (await page.End()).ShouldBe(0, page.ToString());
        page.Output.ToString().ShouldContain("--threshold 'delay.p50<1h' --threshold 'delay.max<1h'");
    }

    [Theory]
    [InlineData("list", 4, "-default-")]
    [InlineData("matrix", 4, "a → b")]
    [InlineData("clean --older-than 0s", 4, "would remove")]
    public async Task WhatCannotBeRead_IsNamedAndSkipped_AndTheExitCodeSaysSo(string verb, int code, string part)
    {
        await using var run = ServiceProcess.Start(
            "Tool", "replication", "delay", "--keys", "20", "--rate", "200", "--warmup", "0", "--source-region", "a",
            "--destination-region", "b", "-q");
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var results = Path.Combine(run.Folder, "results");
        await Write("torn", "run.json", "{\"schemaVersion\": 1, \"run\":");
        await Write("future", "run.json", """{"schemaVersion": 99}""");
        await Write("foreign", "run.json", "[1, 2]");
        await Write("other", "notes.txt", "mine");

        await using var report = ServiceProcess.Start(
            "Tool", ["report", .. verb.Split(' ')[..1], results, .. verb.Split(' ')[1..]]);

        (await report.End()).ShouldBe(code, report.ToString());
        report.Output.ToString().ShouldContain(part);
        foreach (var name in new[] { "torn", "future", "foreign" })
            report.Errors.Lines.ShouldContain(line => line.StartsWith($"Skipped: {results}/{name}", StringComparison.Ordinal));
        report.Errors.ToString().ShouldNotContain("other");
        report.Errors.Lines.Count.ShouldBe(3);

        async Task Write(string folder, string file, string text) => await File.WriteAllTextAsync(
            Path.Combine(Directory.CreateDirectory(Path.Combine(results, folder)).FullName, file), text, Cancellation);
    }

    [Theory]
    [InlineData("--format", "hgrm")]
    [InlineData("--format", "text")]
    public async Task Show_OfATornLog_ShowsTheRest_AndTheExitCodeSaysSo(params string[] format)
    {
        await using var run = ServiceProcess.Start("Tool", "producer", "--rate", "100", "-n", "50", "-q");
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var folder = Directory.GetDirectories(Path.Combine(run.Folder, "results")).ShouldHaveSingleItem();
        var log = await File.ReadAllTextAsync(Path.Combine(folder, "latency.hlog"), Cancellation);
        File.Delete(Path.Combine(folder, "latency.hlog"));
        File.Delete(Path.Combine(folder, "run.json"));
        await File.WriteAllTextAsync(Path.Combine(folder, "latency.hlog.partial"), log[..^40], Cancellation);

        await using var show = ServiceProcess.Start("Tool", ["report", "show", folder, .. format]);

        (await show.End()).ShouldBe(4, show.ToString());
        show.Output.ToString().ShouldContain("rtt-intended");
        show.Errors.ToString().ShouldContain("the last line is torn");
    }

    [Fact]
    public async Task List_WhereNoRunIs_SaysSo()
    {
        await using var list = ServiceProcess.Start("Tool", "report", "list", "/");

        (await list.End()).ShouldBe(2, list.ToString());

        list.Errors.ToString().ShouldStartWith("/: no run here; name a folder that a run left behind");
    }

    [Fact]
    public async Task Clean_RemovesOldRuns_AndNothingElse()
    {
        var root = Directory.CreateTempSubdirectory("clean").FullName;
        var (old, young, other) = (Path.Combine(root, "old"), Path.Combine(root, "young"), Path.Combine(root, "other"));
        foreach (var folder in new[] { old, young, other })
            Directory.CreateDirectory(folder);
        await File.WriteAllTextAsync(Path.Combine(other, "note"), "mine", Cancellation);
        foreach (var folder in new[] { old, young })
            await File.WriteAllTextAsync(Path.Combine(folder, "latency.hlog"), string.Empty, Cancellation);
        File.SetLastWriteTimeUtc(Path.Combine(old, "latency.hlog"), DateTimeOffset.FromUnixTimeSeconds(0).UtcDateTime);

        await using var asked = ServiceProcess.Start("Tool", "report", "clean", root, "--older-than", "7d");
        (await asked.End()).ShouldBe(0, asked.ToString());
        asked.Output.Lines.ShouldBe([$"would remove {old}", "1 of 2 runs; --yes removes them"]);
        Directory.Exists(old).ShouldBeTrue();

        await using var clean = ServiceProcess.Start(
            "Tool", "report", "clean", root, "--older-than", "7d", "--yes");
        (await clean.End()).ShouldBe(0, clean.ToString());

        clean.Output.Lines.ShouldBe([$"removed {old}", "1 of 2 runs"]);
        Directory.GetDirectories(root).Order().ShouldBe([other, young]);
        Directory.Delete(root, recursive: true);
    }
}
