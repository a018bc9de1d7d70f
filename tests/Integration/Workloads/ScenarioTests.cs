using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

public class ScenarioTests : WorkloadTest
{
    [Theory]
    [InlineData("tair-essd", 40, "1e-5", "Uniform-50%Read-50%Update", "103,890")]
    [InlineData("tair-pmem", 15, "1e-5", "Workload C", "170,699")]
    [InlineData("tair-cluster-memtier", 1, "1e-4", "2 TB, 128 nodes", "10,240,000")]
    [InlineData("shake-write-load", 1, "1e-5", "beside sync + aof", "1,599,000")]
    public async Task BuiltInScenario_AtASmallScale_PrintsItsTableBesideThePublishedOne(
        string name, int phases, string scale, string row, string figure)
    {
        var process = Start("scenario", name, "--scale", scale, "--live", "none");

        (await process.End()).ShouldBe(0, process.ToString());

        var run = SavedRun.Of(process);
        run.Record.Summaries.Count.ShouldBe(phases);
        run.Record.Summaries.ShouldAllBe(summary => summary.Count(Counted.Returned) > 0
            && summary.Count(Counted.Lost) == 0);
        run.Record.Scenario.ShouldNotBeNull().Name.ShouldBe(name);
        var lines = process.Output.Lines;
        lines.SkipLast(1).ShouldAllBe(line => line.Length <= 80);
        lines.ShouldContain(line => line.Contains(row, StringComparison.Ordinal));
        lines.ShouldContain(line => line.Contains(figure, StringComparison.Ordinal));
        lines[^1].ShouldMatch(
            $"^RESULT role=workload verdict=(valid|doubtful)( to=p[0-9.]+)? partial=false target=[^ ]+ phases={phases} ({phases}\\.)?sent=");
        foreach (var summary in run.Record.Summaries)
        {
            var tag = phases == 1 ? string.Empty : $"{summary.Workload!.Tag}.";
            var operation = summary.Workload!.Operations[0];
            run.Merged($"{tag}{operation.Name}-service").TotalCount
                .ShouldBe(summary.Count(Counted.Completed, operation.Name)!.Value);
        }
    }

    [Fact]
    public async Task ScenarioFile_WithSweeps_IsRun_AndShownAgainInEveryForm()
    {
        const string Scenario = """
            {
              "name": "mine",
              "options": { "records": 200, "value": "constant", "warmup": "0s" },
              "phases": [
                { "name": "load", "verb": "load", "pause": "1ms" },
                { "name": "read", "options": { "mix": "get=1", "operations": 300 }, "sweep": { "pipeline": [1, 8] } }
              ]
            }
            """;
        var file = Path.Combine(Server.Folder, "mine.json");
        await File.WriteAllTextAsync(file, Scenario, TestContext.Current.CancellationToken);
        var process = Start("scenario", file);

        (await process.End()).ShouldBe(0, process.ToString());

        var run = SavedRun.Of(process);
        run.Record.Summaries.Select(summary => summary.Name).ShouldBe(["load", "read, pipeline 1", "read, pipeline 8"]);
        var begins = process.Output.Lines.ToList().FindIndex(
            line => line.StartsWith("VERDICT", StringComparison.Ordinal));
        await using var shown = ServiceProcess.Start("Workloads", "show", run.Folder);
        (await shown.End()).ShouldBe(0, shown.ToString());
        shown.Output.Lines.ShouldBe(process.Output.Lines.Skip(begins));
        await using var csv = ServiceProcess.Start("Workloads", "show", run.Folder, "--format", "csv");
        (await csv.End()).ShouldBe(0, csv.ToString());
        csv.Output.Lines.Count.ShouldBe(1 + (3 * 2));
        csv.Output.Lines.ShouldAllBe(line => line.Count(letter => letter == ',') >= 41);
    }

    [Fact]
    public async Task ScenarioFile_WithMistakes_IsRefusedWithAllOfThem()
    {
        var file = Path.Combine(Server.Folder, "wrong.json");
        await File.WriteAllTextAsync(
            file,
            """
            {
              "nam": "x",
              "phases": [{ "name": "y", "options": { "threads": 0 } }, { "name": "z", "pause": "1" }]
            }
            """,
            TestContext.Current.CancellationToken);
        var process = Start("scenario", file);

        (await process.End()).ShouldBe(2, process.ToString());
        process.Errors.Lines.ShouldBe(
        [
            "wrong.json: $.nam: unknown field; did you mean name?",
            "wrong.json: $: name is missing",
            "wrong.json: $.phases[0].options.threads: 0: at least 1 thread",
            "wrong.json: $.phases[1].pause: 1: a duration needs a unit, for instance 1ms or 1s",
        ]);
        process.Output.Lines.ShouldBeEmpty();
    }
}
