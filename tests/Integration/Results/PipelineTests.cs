using System.Xml.Linq;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;

namespace RedisLatency.Integration.Results;

/// <summary>What a pipeline reads of a single run.</summary>
public class PipelineTests : PairTest
{
    private static readonly string[] Short = ["--rate", "500", "--iterations", "200", "--warmup", "0"];

    [Fact]
    public async Task Thresholds_AreTestCases_AndTheAnswerIsOnThePageOfTheStep()
    {
        var producer = Own(ServiceProcess.Start(
            "Producer",
            new Dictionary<string, string> { ["GITHUB_STEP_SUMMARY"] = "page.md" },
            [
                Server.Uri, .. Short, "--threshold", "lost==0", "--threshold", "rtt.max<1ns",
                "--threshold", "rtt.p99.99<1s", "--junit", "junit.xml", "--step-summary",
            ]));

        (await producer.End()).ShouldBe(4, producer.ToString());
        var suite = XDocument.Load(Path.Combine(producer.Folder, "junit.xml")).Root.ShouldNotBeNull();
        suite.Attributes().Select(one => one.Value).ShouldBe(["redis-latency producer", "4", "1", "2"]);
        suite.Elements().Select(one => one.Attribute("name")!.Value)
            .ShouldBe(["lost==0", "rtt.max<1ns", "rtt.p99.99<1s", "verdict"]);
        suite.Elements().Select(one => one.Elements().SingleOrDefault()?.Name.LocalName)
            .ShouldBe([null, "failure", "error", "error"]);
        var markdown = await File.ReadAllTextAsync(
            Path.Combine(producer.Folder, "page.md"), TestContext.Current.CancellationToken);
        markdown.ShouldStartWith("### ");
        markdown.ShouldContain("rtt.max");
    }

    // Every condition holds, and the run is not what was asked for: it was ended by a signal, or is doubted.
    [Fact]
    public async Task ADocumentInWhichNothingFailed_BelongsToARunThatEndsWith0()
    {
        var whole = Own(ServiceProcess.Start(
            "Producer", [Server.Uri, .. Short, "--junit", "junit.xml", "--threshold", "lost==0"]));
        (await whole.End()).ShouldBe(0, whole.ToString());
        var cut = Own(ServiceProcess.Start(
            "Producer",
            [
                Server.Uri, "--rate", "500", "--warmup", "0", "--live", "plain", "--junit", "junit.xml", "--threshold",
                "lost==0",
            ]));
        await cut.Errors.WaitFor(" measure ");

        (await cut.EndBy("INT")).ShouldBe(130, cut.ToString());
        Failed(whole).ShouldBeEmpty();
        Failed(cut).ShouldHaveSingleItem().ShouldStartWith("verdict: exit code 130: stopped by a signal.");

        static IEnumerable<string> Failed(ServiceProcess process) =>
            from one in XDocument.Load(Path.Combine(process.Folder, "junit.xml")).Root!.Elements()
            from problem in one.Elements()
            select $"{one.Attribute("name")!.Value}: {problem.Attribute("message")!.Value}";
    }

    [Fact]
    public async Task AFileThatCannotBeWritten_EndsWith6()
    {
        var producer = Own(ServiceProcess.Start(
            "Producer", [Server.Uri, .. Short, "--threshold", "lost==0", "--junit", Path.Combine("no", "x.xml")]));

        (await producer.End()).ShouldBe(6, producer.ToString());
        producer.Output.ToString().ShouldContain(" exit=6");
    }

    [Theory]
    [InlineData("--step-summary: GITHUB_STEP_SUMMARY names no file", "--step-summary")]
    public async Task WhatCannotBe_IsWrongUsage(string problem, params string[] options)
    {
        var producer = Own(ServiceProcess.Start(
            "Producer", new Dictionary<string, string> { ["GITHUB_STEP_SUMMARY"] = "" }, [Server.Uri, .. options]));

        (await producer.End()).ShouldBe(2, producer.ToString());
        producer.Errors.ToString().ShouldStartWith(problem);
    }
}
