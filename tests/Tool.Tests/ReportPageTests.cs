using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary><c>report RUN</c>: the page of what real runs left behind.</summary>
public sealed partial class ReportPageTests : IDisposable
{
    // One run serves all tests that ask for nothing but a run: each has a copy.
    private static readonly Lazy<Task<string>> Shared = new(() => Measure(
        Directory.CreateTempSubdirectory("page").FullName, ["producer", "--rate", "2000", "--duration", "3s"]));

    private readonly string _root = Directory.CreateTempSubdirectory("page").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Page_OfAProducer_HasItsNumbers_AndAsksTheNetworkForNothing()
    {
        var run = await Copy();

        var page = await PageOf(run);

        page.ShouldContain("rtt-intended over time");
        page.ShouldContain("Percentiles");
        page.ShouldContain("how many took how long");
        page.ShouldContain("Offset of the clock of");
        page.ShouldContain("redis-latency producer --rate 2000 --duration 3s");
        page.ShouldContain("default-src 'none'");
        Address().IsMatch(page).ShouldBeFalse();
        page.ShouldNotContain("NaN");
        page.ShouldContain("<td>6,000</td>");
    }

    // Of three seconds the interval log has three columns; of what was put together of others it has no better ones.
    [Fact]
    public async Task Heatmap_OfAShortRun_HasSixteenthsOfASecond_WhereTheyAreOfAllOfIt()
    {
        var run = await Copy();

        ColumnsOf(await PageOf(run)).ShouldBeInRange(20, 80);

        var blocks = Path.Combine(run, "blocks.hlog");
        await File.WriteAllLinesAsync(
            blocks, (await File.ReadAllLinesAsync(blocks, Cancellation)).SkipLast(20), Cancellation);
        ColumnsOf(await PageOf(run)).ShouldBeInRange(2, 5);
    }

    [Fact]
    public async Task Page_OfAShortRun_HasNoEmptyChart_AndNoNaN()
    {
        string[] lines =
        [
            "producer --rate 5 --duration 1s", "producer --duration 1s -n 1",
            "load --records 10 --duration 1s --mix get=1", "load --records 10 --duration 1s --command INCR",
            "replication delay --duration 1s --rate 20", "replication delay --continuous --duration 3s",
        ];

        var runs = await Task.WhenAll(lines.Select(line => Measure(line.Split(' '))));
        foreach (var page in await Task.WhenAll(runs.Select(run => PageOf(run))))
        {
            page.ShouldNotContain("NaN");
            page.ShouldNotContain("∞");
            EmptyPath().IsMatch(page).ShouldBeFalse();
            page.ShouldContain("How to reproduce");
        }
    }

    [Fact]
    public async Task Page_OfRegions_HasTheirMatrix()
    {
        var runs = await Task.WhenAll(new[] { "east", "west" }.Select(region => Measure(
            "replication", "delay", "--keys", "300", "--source-region", "here", "--destination-region", region)));
        var file = Path.Combine(_root, "regions.html");

        // What is named twice is counted once.
        await using var report = ServiceProcess.Start("Tool", ["report", .. runs, runs[0], "--file", file]);

        (await report.End()).ShouldBe(0, report.ToString());
        var page = await File.ReadAllTextAsync(file, Cancellation);
        page.ShouldContain("Replication delay between regions");
        foreach (var region in new[] { "east", "west" })
            KeysTo(page, region).ShouldBe("300");
        report.Errors.Lines.ShouldBe(
            [$"Not in the tables of regions: {runs[0]}: this run, or a copy of it, is in it already"]);
    }

    [Fact]
    public async Task Page_OfAKilledRun_GoesAsFarAsItsLog_AndSaysSo()
    {
        var whole = await Copy();
        var killed = Directory.CreateDirectory(Path.Combine(_root, "killed")).FullName;
        var log = await File.ReadAllTextAsync(Path.Combine(whole, "latency.hlog"), Cancellation);
        await File.WriteAllTextAsync(Path.Combine(killed, "latency.hlog.partial"), log[..^40], Cancellation);

        var page = await PageOf(killed, 4);

        page.ShouldContain("the run was killed or is still under way");
        page.ShouldContain("The last line of the interval log is torn");
        page.ShouldContain("rtt-intended over time");
    }

    [Fact]
    public async Task Page_OfHostileNames_ShowsThemAsText()
    {
        var name = "<script>alert(1)</script>\u001b[2J\u202e" + new string('x', 10_000);
        var run = await Copy();
        var file = Path.Combine(run, "run.json");
        var record = System.Text.Json.Nodes.JsonNode.Parse(await File.ReadAllTextAsync(file, Cancellation))!;
        record["run"] = name;
        record["summaries"]![0]!["name"] = name;
        record["summaries"]![0]!["latencies"]![0]!["name"] = name;
        record["targets"]![0]!["endpoint"] = name;
        await File.WriteAllTextAsync(file, record.ToJsonString(), Cancellation);

        var page = await PageOf(run);

        page.ShouldNotContain("<script>alert");
        page.ShouldNotContain('\u001b');
        page.ShouldNotContain('\u202e');
        page.ShouldContain("&lt;script&gt;alert(1)");
    }

    [Fact]
    public async Task Page_OfWhatIsNone_NamesIt()
    {
        var run = await Copy();
        var future = Directory.CreateDirectory(Path.Combine(_root, "future")).FullName;
        await File.WriteAllTextAsync(Path.Combine(future, "run.json"), """{"schemaVersion": 99}""", Cancellation);
        var damaged = Directory.CreateDirectory(Path.Combine(_root, "damaged")).FullName;
        await File.WriteAllTextAsync(Path.Combine(damaged, "latency.hlog"), "Tag=a,1,1,1,rubbish\n", Cancellation);
        var file = Path.Combine(_root, "page.html");

        await using var report = ServiceProcess.Start(
            "Tool", "report", run, future, damaged, "--file", file);

        (await report.End()).ShouldBe(4, report.ToString());
        report.Errors.ToString().ShouldContain("written in schema 99");
        report.Errors.ToString().ShouldContain("Line 1 of the interval log");
        (await File.ReadAllTextAsync(file, Cancellation)).ShouldContain("rtt-intended over time");
    }

    [Fact]
    public async Task Markdown_HasPercentilesAndCounts()
    {
        var run = await Measure("load", "--records", "100", "--duration", "1s");

        await using var report = ServiceProcess.Start("Tool", "report", run, "--format", "markdown");

        (await report.End()).ShouldBe(0, report.ToString());
        report.Output.Lines[0].ShouldStartWith("### ");
        report.Output.Lines.ShouldContain(line => line.StartsWith("| 2.service |", StringComparison.Ordinal));
        report.Output.Lines.ShouldContain(line => line.StartsWith("| completed |", StringComparison.Ordinal));
        report.Output.Lines.ShouldContain(line => line.StartsWith("    redis-latency load", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    // The row has average, 95th, 99th and error before it.
    private static string KeysTo(string page, string region) => Regex.Match(
        page, $"<th scope=\"row\">here &#x2192; {region}</th>(?:<td>[^<]*</td>){{4}}<td>([\\d,]+)").Groups[1].Value;

    private static int ColumnsOf(string page) => HeatPath().Matches(page)
        .SelectMany(path => HeatCell().Matches(path.Value)).Select(cell => cell.Value).Distinct().Count();

    private async Task<string> Copy()
    {
        var copy = Directory.CreateDirectory(Path.Combine(_root, "copy")).FullName;
        foreach (var file in Directory.GetFiles(await Shared.Value))
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        return copy;
    }

    private Task<string> Measure(params string[] words) =>
        Measure(Path.Combine(_root, "runs", Guid.NewGuid().ToString("N")), words);

    private static async Task<string> Measure(string folder, string[] words)
    {
        await using var run = ServiceProcess.Start("Tool", [.. words, "--quiet", "--out", folder]);
        await run.End();
        return Directory.GetDirectories(folder).ShouldHaveSingleItem(run.ToString());
    }

    private async Task<string> PageOf(string run, int code = 0)
    {
        await using var report = ServiceProcess.Start("Tool", "report", run);
        (await report.End()).ShouldBe(code, report.ToString());
        report.Output.Lines.ShouldBe([Path.Combine(run, "report.html")]);
        return await File.ReadAllTextAsync(Path.Combine(run, "report.html"), Cancellation);
    }

    [GeneratedRegex("(src|href|action)=\"[^#]|url\\(|@import|fetch\\(|https?://", RegexOptions.IgnoreCase)]
    private static partial Regex Address();

    [GeneratedRegex("class=\"heat h[0-9]\" d=\"M(?!0 0H10)[^\"]*\"")]
    private static partial Regex HeatPath();

    [GeneratedRegex("M[0-9.]+ ")]
    private static partial Regex HeatCell();

    [GeneratedRegex("class=\"(line|heat)[^\"]*\" d=\"\"")]
    private static partial Regex EmptyPath();
}
