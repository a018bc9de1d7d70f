using System.Text.Json.Nodes;
using System.Xml.Linq;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary><c>report compare</c> of a real run, and of copies of it that are slower by what is known.</summary>
public sealed class CompareTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("compare").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Compare_OfCopies_FindsWhatWasPlanted()
    {
        var run = await Measure();
        for (var number = 0; number < 6; number++)
        {
            await Copy(run, $"before/{number}", 1 + (0.002 * number));
            await Copy(run, $"same/{number}", 1.0065 - (0.002 * number));
            await Copy(run, $"slow/{number}", 1.2 + (0.002 * number));
        }

        await using var same = Compare("before", "same", "--fail-if", "rtt-intended.p50>+5%");
        await using var slow = Compare(
            "before", "slow", "--fail-if", "rtt-intended.p50>+5%", "--format", "markdown", "--junit", $"{_root}/j.xml");

        (await same.End()).ShouldBe(0, same.ToString());
        same.Output.Lines[0].ShouldBe("6 runs after against 6 before: no difference shown");
        same.Output.Lines[^1].ShouldBe("✓ rtt-intended.p50>+5%");
        (await slow.End()).ShouldBe(99, slow.ToString());
        slow.Output.Lines[0].ShouldContain("rtt-intended.p50 worse, 1.19");
        slow.Output.Lines.ShouldContain(line => line.StartsWith("| rtt-intended.p50 |", StringComparison.Ordinal));
        slow.Output.Lines.ShouldContain("- ✗ rtt-intended.p50>+5%");
        XElement.Load($"{_root}/j.xml").Attribute("failures")!.Value.ShouldBe("1");
    }

    [Fact]
    public async Task Compare_OfOneRunEach_CannotTell()
    {
        var run = await Measure();
        await Copy(run, "before", 1);
        await Copy(run, "after", 2);

        await using var compare = Compare("before", "after", "--fail-if", "rtt-intended.p50>+5%");

        (await compare.End()).ShouldBe(4, compare.ToString());
        compare.Output.Lines[0].ShouldBe("1 run after against 1 before: cannot tell");
        string.Join(' ', compare.Output.Lines.Select(line => line.Trim())).ShouldContain("1 and 1 runs cannot tell, it takes 5 of each.");
        compare.Output.Lines[^1].ShouldBe("? rtt-intended.p50>+5%   cannot be told");
    }

    [Fact]
    public async Task Compare_OfRunsWithOtherOptions_NamesThem_AndLaysCurvesOverOneAnother()
    {
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Run("before")));
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Run("after", "--payload-size", "4KiB")));
        var (page, summary) = (Path.Combine(_root, "page.html"), Path.Combine(_root, "summary.md"));

        await using var compare = ServiceProcess.StartShell(
            $"GITHUB_STEP_SUMMARY={summary} \"$PROGRAM\" report compare {_root}/before {_root}/after --html {page} "
            + "--step-summary --fail-if 'rtt.p50>+900%'");

        (await compare.End()).ShouldBe(4, compare.ToString());
        compare.Output.ToString().ShouldContain("--payload-size: 0B before, 4KiB after");
        var markdown = await File.ReadAllTextAsync(summary, Cancellation);
        markdown.ShouldContain("- ? rtt.p50>+900%   cannot be told");
        markdown.ShouldContain("- --payload-size: 0B before, 4KiB after");
        var html = await File.ReadAllTextAsync(page, Cancellation);
        html.ShouldContain("rtt-intended, percentiles");
        html.ShouldContain("<th scope=\"row\">--payload-size</th><td>0B</td><td>4KiB</td>");
        foreach (var line in new[] { "before", "before, least", "before, most", "after", "after, least", "after, most" })
            html.ShouldContain($"> {line}</label>");
        if (ServerRequirement.Find("chromium") is not null)
        {
            await using var browser = await ChromiumBrowser.Start();
            await PageLook.ShouldLookRight(browser, page);
        }
    }

    [Theory]
    [InlineData("report compare one", "FOLDER, --after: name one folder before and one after")]
    [InlineData("report compare /nowhere /nowhere", "/nowhere: no run record here")]
    [InlineData("report compare a b --fail-if p99", "--fail-if p99: a metric, > or <, and a change in % are needed")]
    [InlineData("report compare a b --step-summary", "GITHUB_STEP_SUMMARY names no file")]
    public async Task WrongWords_AreNamed(string line, string problem)
    {
        await using var tool = ServiceProcess.Start("Tool", line.Split(' '));

        (await tool.End()).ShouldBe(2, tool.ToString());

        tool.Errors.ToString().ShouldContain(problem);
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private async Task Run(string name, params string[] more)
    {
        await using var run = ServiceProcess.Start(
            "Tool",
            [
                "producer", "--rate", "500", "--duration", "1s", "--warmup", "100ms", "-q", "--out",
                Path.Combine(_root, name), .. more,
            ]);
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
    }

    private static async Task<JsonNode> Measure()
    {
        await using var run = ServiceProcess.Start(
            "Tool", "producer", "--rate", "500", "--duration", "1s", "--warmup", "100ms", "-q");
        (await run.End()).ShouldBeOneOf([0, 4], run.ToString());
        var folder = Directory.GetDirectories(Path.Combine(run.Folder, "results")).ShouldHaveSingleItem();
        return JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(folder, "run.json"), Cancellation))!;
    }

    private ServiceProcess Compare(string before, string after, params string[] arguments) => ServiceProcess.Start(
        "Tool", ["report", "compare", Path.Combine(_root, before), Path.Combine(_root, after), .. arguments]);

    private async Task Copy(JsonNode run, string name, double times)
    {
        var copy = run.DeepClone();
        foreach (var series in copy["summaries"]![0]!["latencies"]!.AsArray())
        {
            foreach (var row in series!["percentiles"]!.AsArray().Where(row => row!["value"] is not null))
                row!["value"] = (long)(row["value"]!.GetValue<long>() * times);
        }

        var folder = Directory.CreateDirectory(Path.Combine(_root, name)).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "run.json"), copy.ToJsonString(), Cancellation);
    }
}
