using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Records;

/// <summary>A record whose numbers contradict each other is refused, whoever reads it.</summary>
public class RecordIdentitiesTests
{
    private static readonly string[] Real =
    [
        .. new[] { ("Reports.Tests", "Summaries/Runs"), ("Golden", "runs") }.SelectMany(place => Directory.GetFiles(
            RepositoryRoot.Combine("tests", place.Item1, place.Item2),
            ResultsFolder.RunRecordName, SearchOption.AllDirectories)),
    ];

    [Fact]
    public void WhatRunsLeave_DoesNotContradictItself()
    {
        Real.Length.ShouldBeGreaterThan(10);
        foreach (var file in Real)
            RecordIdentities.Problem(RunRecordReader.Read(file)).ShouldBeNull(file);
    }

    [Theory]
    [InlineData("load", "asked", 100_000, "asked are not")]
    [InlineData("load", "sent", 5, "asked are not")]
    [InlineData("load", "returned", 5, "are not 5")]
    [InlineData("load", "completed", 5, "5 completed are not")]
    [InlineData("load", "lost", 1e9, "ended are more than")]
    [InlineData("load", "returned", 1e9, "returned are more than there were")]
    [InlineData("load", "achieved", 99_999_999, " s are not ")]
    [InlineData("load", "achieved", 1, " s are not ")]
    [InlineData("load", "durationNs", 1, " are not ")]
    [InlineData("producer", "asked", 100_000, "asked are not")]
    [InlineData("producer", "unsent", 7, "asked are not")]
    [InlineData("producer", "returned", 5, "values, where 5 returned")]
    [InlineData("producer", "returned", 1e9, "returned are more than there were")]
    [InlineData("producer", "achieved", 99_999_999, " s are not")]
    public void WhatNoRunCanLeave_IsRefused(string run, string number, double value, string contradiction)
    {
        var file = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", run, "run.json");
        var record = JsonNode.Parse(File.ReadAllText(file))!;
        var summary = record["summaries"]!.AsArray()[^1]!;
        if (number == "achieved")
            summary["rates"]![number] = value;
        else if (number == "durationNs")
            summary[number] = (long)value;
        else if (summary["metrics"]!.AsArray().FirstOrDefault(row => IsRowOf(row!, number)) is { } row)
            row["value"] = value;
        else
            summary["metrics"]!.AsArray().Add(new JsonObject { ["name"] = number, ["value"] = value });
        // A closed loop leaves nothing unsent, and does not say so.
        if (run == "load" && number is "asked" or "sent")
            summary["metrics"]!.AsArray().Add(new JsonObject { ["name"] = "unsent", ["value"] = 0 });

        Should.Throw<RunRecordException>(
                () => RunRecordReader.Parse("a/run.json", System.Text.Encoding.UTF8.GetBytes(record.ToJsonString())))
            .Message.ShouldSatisfyAllConditions(
                message => message.ShouldContain("contradicts itself: "),
                message => message.ShouldContain(contradiction));
    }

    [Theory]
    [InlineData("p50", 1, "are of no histogram")]
    [InlineData("p50", 1e15, "are of no histogram")]
    [InlineData("p50's interval", 1e15, "are of no histogram")]
    [InlineData("mean", 1e15, "are of no histogram")]
    [InlineData("min", 1e15, "are of no histogram")]
    [InlineData("hits of an operation", 77, "of operations, 77 together")]
    public void WhatNoHistogramHas_AndPartsThatDoNotAddUp_AreRefused(string number, double value, string contradiction)
    {
        var file = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", "load", "run.json");
        var record = JsonNode.Parse(File.ReadAllText(file))!;
        var summary = record["summaries"]!.AsArray()[^1]!;
        var series = summary["latencies"]!.AsArray().First(one => one!["name"]!.GetValue<string>() == "service")!;
        var middle = series["percentiles"]!.AsArray().First(row => row!["percentile"]!.GetValue<double>() == 50)!;
        switch (number)
        {
            case "p50": middle["value"] = (long)value; break;
            case "p50's interval": middle["lower"] = (long)value; break;
            case "hits of an operation":
                summary["metrics"]!.AsArray().First(
                    row => row!["name"]!.GetValue<string>() == "hits" && row["labels"] is not null)!["value"] = value;
                break;
            default: series[number] = value; break;
        }

        Should.Throw<RunRecordException>(
                () => RunRecordReader.Parse("a/run.json", System.Text.Encoding.UTF8.GetBytes(record.ToJsonString())))
            .Message.ShouldContain(contradiction);
    }

    private static bool IsRowOf(JsonNode row, string name) =>
        row["name"]!.GetValue<string>() == name && row["labels"] is null;
}
