using System.Text.Json.Nodes;
using System.Xml.Linq;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary><c>report compare</c> of a real run, and of copies of it that are slower by what is known.</summary>
public sealed class CompareTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("compare").FullName;
    private int _copies;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Compare_OfCopies_FindsWhatWasPlanted()
    {
        var run = await Measure();
        await Plant(run, 6);

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
        var suite = XElement.Load($"{_root}/j.xml");
        suite.Attribute("failures")!.Value.ShouldBe("1");
        suite.Attribute("errors")!.Value.ShouldBe("0");
    }

    /// <summary>A run that is not valid has no numbers: what they would say is no answer, nor is a gate's.</summary>
    [Fact]
    public async Task RunsThatAreNotValid_AreNoValues_AndAGateOnThemIsNot()
    {
        var run = await Measure();
        await Plant(run, 6);
        await Copy(run, "same/0", 1.0065, copy => copy["verdict"]!["status"] = "notValid");

        await using var compare = Compare(
            "before", "same", "--fail-if", "rtt-intended.p50>+5%", "--junit", $"{_root}/j.xml");

        (await compare.End()).ShouldBe(4, compare.ToString());
        var verdict = XElement.Load($"{_root}/j.xml").Elements().Last();
        verdict.Attribute("name")!.Value.ShouldBe("verdict");
        verdict.Elements().Single().Attribute("message")!.Value.ShouldContain("1 of 6 runs after are NOT VALID");
        var text = string.Join(' ', compare.Output.Lines.Select(line => line.Trim()));
        text.ShouldContain("1 of 6 runs after are NOT VALID: their numbers are not known.");
        text.ShouldContain("not known in 1 of 12 runs");
        compare.Output.Lines[^1].ShouldBe("? rtt-intended.p50>+5%   cannot be told");
    }

    /// <summary>Twice the same values would halve an interval for nothing.</summary>
    [Fact]
    public async Task RunsNamedTwice_OrCopied_CountOnce()
    {
        var run = await Measure();
        await Plant(run, 6);
        Directory.CreateDirectory(Path.Combine(_root, "copies", "one"));
        File.Copy(Path.Combine(_root, "before/3/run.json"), Path.Combine(_root, "copies/one/run.json"));
        string Named(string folder) => Path.Combine(_root, folder);

        await using var compare = ServiceProcess.Start(
            "Tool", "report", "compare", Named("before"), Named("before"), Named("copies"), "--after", Named("slow"));
        await using var itself = Compare("before", "before");

        (await compare.End()).ShouldBe(4, compare.ToString());
        compare.Output.Lines[0].ShouldStartWith("6 runs after against 6 before: ");
        compare.Errors.Lines.Count(line => line.StartsWith("Skipped: ") && line.Contains("or a copy of it, is in it"))
            .ShouldBe(7, compare.ToString());
        (await itself.End()).ShouldBe(2, itself.ToString());
    }

    [Fact]
    public async Task MetricThatNoRunHas_IsWrongUsage_AndThoseThatThereAreAreNamed()
    {
        var run = await Measure();
        await Copy(run, "before", 1);
        await Copy(run, "after", 1);

        await using var compare = Compare("before", "after", "--fail-if", "p99>5%");

        (await compare.End()).ShouldBe(2, compare.ToString());
        var text = string.Join(' ', compare.Errors.Lines.Select(line => line.Trim()));
        text.ShouldContain("--fail-if p99>5%: no run has a metric p99; did you mean rtt-intended.p99? (known: ");
        text.ShouldContain(" rtt-intended, ");
    }

    [Fact]
    public async Task WhatElseDiffers_AndWhatChanceIsLeft_AreSaid()
    {
        var run = await Measure();
        await Plant(run, 8);
        for (var number = 0; number < 8; number++)
        {
            await Copy(run, $"other/{number}", 1.2 + (0.002 * number), copy =>
            {
                copy["environment"]!["kernel"] = "9.9.9-other";
                copy["targets"]![0]!["server"]!["version"] = "99.1";
                Move(copy, TimeSpan.FromHours(1 + number));
            });
        }

        await using var compare = Compare("before", "other");
        await using var turns = Compare("before", "same");

        (await compare.End()).ShouldBe(0, compare.ToString());
        var text = string.Join(' ', compare.Output.Lines.Select(line => line.Trim()));
        text.ShouldContain("; kernel ");
        text.ShouldContain(" before, 9.9.9-other after.");
        text.ShouldContain(" 99.1 after;");
        text.ShouldContain("All runs before ran before all runs after");
        compare.Output.Lines.First(line => line.StartsWith("  rtt-intended.p50 ")).ShouldEndWith("<0.001");
        (await turns.End()).ShouldBe(0, turns.ToString());
        turns.Output.ToString().ShouldNotContain("differ:");
        turns.Output.ToString().ShouldNotContain("All runs");
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
        html.ShouldContain("--payload-size: 0B before, 4KiB after");
        foreach (var line in new[] { "before", "before, single runs", "after", "after, single runs" })
            html.ShouldContain($"> {line}</label>");
        html.Split("class=\"line band").Length.ShouldBe(3);
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

    // In turns, as runs are to be taken.
    private async Task Plant(JsonNode run, int runs)
    {
        for (var number = 0; number < runs; number++)
        {
            await Copy(run, $"before/{number}", 1 + (0.002 * number));
            await Copy(run, $"same/{number}", 1.0065 - (0.002 * number));
            await Copy(run, $"slow/{number}", 1.2 + (0.002 * number));
        }
    }

    // Another run of the same, whatever the machine made of the one that was measured.
    private async Task Copy(JsonNode run, string name, double times, Action<JsonNode>? change = null)
    {
        var copy = run.DeepClone();
        copy["verdict"]!["status"] = "valid";
        Move(copy, TimeSpan.FromSeconds(++_copies));
        foreach (var series in copy["summaries"]![0]!["latencies"]!.AsArray())
        {
            Scale(series!, "min", "mean", "max");
            foreach (var row in series!["percentiles"]!.AsArray())
                Scale(row!, "value", "lower", "upper");
        }

        void Scale(JsonNode numbers, params string[] names)
        {
            foreach (var known in names.Where(known => numbers[known] is not null))
                numbers[known] = (long)(numbers[known]!.GetValue<double>() * times);
        }

        change?.Invoke(copy);
        var folder = Directory.CreateDirectory(Path.Combine(_root, name)).FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "run.json"), copy.ToJsonString(), Cancellation);
    }

    private static void Move(JsonNode run, TimeSpan later)
    {
        var phase = run["phases"]![0]!;
        phase["startUtc"] = phase["startUtc"]!.GetValue<DateTimeOffset>() + later;
        phase["startNs"] = phase["startNs"]!.GetValue<long>() + (long)later.TotalNanoseconds;
    }
}
