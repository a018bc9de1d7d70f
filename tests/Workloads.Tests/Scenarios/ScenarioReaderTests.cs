using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads.Tests.Scenarios;

public class ScenarioReaderTests
{
    [Fact]
    public void EveryMistake_IsToldAtOnce_WithItsPath()
    {
        var problems = ProblemsOf("""
            {
              "name": "",
              "descripton": "misspelt",
              "options": { "records": "many", "clients": 50, "records ": 1 },
              "sweep": { "threads": [1, 3], "keys": ["uniform"] },
              "phases": [
                { "verb": "load", "options": { "mix": "get", "value-size": -1 } },
                { "name": "read", "verb": "walk", "pause": 5, "options": { "threads": 2, "workload": "g",
                  "mix": ["get", null] } },
                { "name": "rate", "pause": "soon", "sweep": { "rate": [], "pipeline": [0] },
                  "published": [{ "qps": -1 }, {}, { "qps": 5, "when": { "rate": 5 } }] },
                7
              ]
            }
            """);

        string[] expected =
        [
            "$.name: a text is needed, not an empty one",
            "$.descripton: unknown field; did you mean description?",
            "$.options.records: many: a number is needed, for instance 1000, 10k or 2.6m",
            "$.options.records : there is no such option; did you mean records?",
            "$.sweep.keys: unknown field; there are threads, connections, clients, pipeline, value-size, rate",
            "$.phases[0]: name is missing",
            "$.phases[0].options.mix: it does not apply to a load, which writes every record once",
            "$.phases[1].verb: walk: one of load, run is needed",
            "$.phases[1].pause: a text is needed, not a number",
            "$.phases[1].options.threads: it is swept over too",
            "$.phases[1].options.workload: g: one of a, b, c, d, e, f is needed",
            "$.phases[1].options.mix[1]: a text, a number, true or false is needed, not null",
            "$.phases[2].pause: soon: a duration is needed",
            "$.phases[2].sweep.rate: it must not be empty",
            "$.phases[2].published[0].qps: a number is needed, 0 or more",
            "$.phases[2].published[1]: qps, averageUs or p99Us is needed",
            "$.phases[3]: an object is needed, not a number",
        ];
        foreach (var problem in expected)
            problems.ShouldContain(told => told.StartsWith($"file.json: {problem}", StringComparison.Ordinal), problem);
        problems.Distinct().Count().ShouldBe(problems.Count);
    }

    [Fact]
    public void Options_ThatContradictEachOther_AreToldWithBothPlaces() => ProblemsOf("""
        {
          "name": "x",
          "options": { "clients": 5 },
          "phases": [{ "name": "y", "options": { "threads": 2 } }]
        }
        """).ShouldHaveSingleItem().ShouldBe(
            "file.json: $.options.clients: with $.phases[0].options.threads: "
            + "5 connections cannot be shared evenly by 2 threads");

    [Fact]
    public void CommandTimeout_OfAPhase_WinsOverTheFiles_AndTheCommandLinesOverBoth()
    {
        var scenario = Read("""
            {
              "name": "x", "options": { "command-timeout": "30s" },
              "phases": [
                { "name": "load", "verb": "load" },
                { "name": "run", "options": { "command-timeout": "2s" } }
              ]
            }
            """);

        scenario.PlansAt(1).Select(phase => phase.Options.CommandTimeout?.TotalSeconds).ShouldBe([30, 2]);
        var commandLine = scenario.WithCommandTimeout(TimeSpan.FromSeconds(7)).PlansAt(1);
        commandLine.Select(phase => phase.Options.CommandTimeout?.TotalSeconds).ShouldBe([7, 7]);
        commandLine.ShouldAllBe(phase => !phase.Given.ContainsKey("command-timeout"));
    }

    [Fact]
    public void AFieldThatIsThereTwice_IsTold() => ProblemsOf("""
        { "name": "x", "name": "y", "phases": [{ "name": "z" }] }
        """).ShouldHaveSingleItem().ShouldBe("file.json: $.name: it is there twice");

    [Theory]
    [InlineData("")]
    [InlineData("{ \"name\": ")]
    [InlineData("\u0000")]
    public void WhatIsNoJson_IsToldWithItsLine(string text) =>
        ProblemsOf(text).ShouldHaveSingleItem().ShouldContain("not valid JSON: ");

    [Fact]
    public void Sweeps_OfTheFile_RepeatAllPhases_AndThoseOfAPhaseItAlone()
    {
        var scenario = Read("""
            {
              // Comments are allowed.
              "name": "sizes",
              "options": { "records": 1000, "value": "constant", "operations": 5 },
              "sweep": { "value-size": [128, "1KiB"] },
              "phases": [
                { "name": "load", "verb": "load", "pause": "10s",
                  "published": [{ "qps": 5, "when": { "value-size": 128 } }] },
                { "name": "read", "group": "g", "options": { "workload": "c" },
                  "sweep": { "threads": [1, 2], "pipeline": [1, 16] } },
              ],
            }
            """);

        scenario.Phases.Select(phase => phase.FullName).ShouldBe(
        [
            "value-size 128, load",
            "g, value-size 128, read, threads 1, pipeline 1", "g, value-size 128, read, threads 1, pipeline 16",
            "g, value-size 128, read, threads 2, pipeline 1", "g, value-size 128, read, threads 2, pipeline 16",
            "value-size 1KiB, load",
            "g, value-size 1KiB, read, threads 1, pipeline 1", "g, value-size 1KiB, read, threads 1, pipeline 16",
            "g, value-size 1KiB, read, threads 2, pipeline 1", "g, value-size 1KiB, read, threads 2, pipeline 16",
        ]);
        scenario.Phases[0].Published.ShouldHaveSingleItem().Qps.ShouldBe(5);
        scenario.Phases[5].Published.ShouldBeEmpty();
        scenario.Phases[0].Pause.ShouldBe(TimeSpan.FromSeconds(10));
        var last = scenario.Phases[^1];
        last.Options.Threads.ShouldBe(2);
        last.Options.Pipeline.ShouldBe(16);
        last.Options.ValueSize.ShouldBe("1KiB");
        last.Options.Workload.ShouldBe(YcsbWorkload.C);
        last.Options.Operations.ShouldBe(5);
        scenario.Phases[0].Scaled(1).Operations.ShouldBe(1_000);
    }

    [Fact]
    public void Sweeps_ThatAreTooMany_AreCountedAndRefused_AndNotMade()
    {
        var values = string.Join(", ", Enumerable.Range(1, 100));
        var before = GC.GetAllocatedBytesForCurrentThread();

        var problem = ProblemsOf($$"""
            { "name": "x",
              "sweep": { "threads": [{{values}}], "connections": [{{values}}] },
              "phases": [{ "name": "y", "sweep": { "pipeline": [{{values}}], "rate": [{{values}}] } }] }
            """).ShouldHaveSingleItem();

        problem.ShouldBe("file.json: $: the sweeps make 100,000,000 phases of it; 10,000 are the most");
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(10_000_000);
    }

    [Theory]
    [InlineData("\"name\": \"a\\u0000b\"", "$.name: it must not have control characters in it")]
    [InlineData("\"name\": \"\\u001b[31mred\"", "$.name: it must not have control characters in it")]
    [InlineData("\"name\": \"../../etc/x\"", "$.name: a name must not have '../' in it")]
    [InlineData("\"name\": \"a\\\\..\\\\b\"", "$.name: a name must not have '../' in it")]
    [InlineData("\"name\": \"x\", \"description\": \"\\u009b2J\"", "$.description: it must not have control")]
    public void Names_ThatWouldDoSomethingElse_AreRefused(string name, string problem) =>
        ProblemsOf($$"""{ {{name}}, "phases": [{ "name": "y" }] }""").ShouldHaveSingleItem()
            .ShouldStartWith($"file.json: {problem}");

    [Theory]
    [InlineData("x\0y")]
    [InlineData("\u001b[31mred")]
    public void FileName_WithControlCharacters_IsRefused_AndNotPrinted(string file) =>
        Should.Throw<ConfigurationException>(() => ScenarioLibrary.Find(file)).Message.ShouldNotContain(file);

    [Fact]
    public void Only_TakesThePhasesThatHaveTheText()
    {
        var scenario = ScenarioLibrary.Find("tair-essd");

        scenario.Only(["standard.xlarge (memory"]).Phases.Count.ShouldBe(4);
        scenario.Only(["zipfian"]).Phases.Count.ShouldBe(10);
        scenario.Only([]).ShouldBe(scenario);
    }

    private static Scenario Read(string json) => ScenarioReader.Read("file.json", Encoding.UTF8.GetBytes(json));

    private static IReadOnlyList<string> ProblemsOf(string json) =>
        Should.Throw<ConfigurationException>(() => Read(json)).Problems;
}
