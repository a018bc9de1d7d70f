using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Records;

/// <summary>What is wrong in a record is told by its place in the JSON, in plain words.</summary>
public sealed class RecordShapeTests
{
    private static readonly string Runs = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs");

    [Theory]
    [InlineData("verdict", "null", "$.verdict is null")]
    [InlineData(
        "summaries/0/metrics/0/value", "-1",
        "$.summaries[0].metrics[0].value is -1, and there are no fewer than none")]
    [InlineData(
        "summaries/0/metrics/0/value", "\"many\"",
        "$.summaries[0].metrics[0].value is \"many\" and not a number")]
    [InlineData("summaries/0/latencies", "{}", "$.summaries[0].latencies is an object and not a list")]
    [InlineData("summaries/0/latencies/0", "null", "$.summaries[0].latencies[0] is null")]
    [InlineData("summaries/0/latencies/0/name", "null", "$.summaries[0].latencies[0].name is null")]
    [InlineData(
        "summaries/0/latencies/0/missing", "-3",
        "$.summaries[0].latencies[0].missing is -3, and there are no fewer than none")]
    [InlineData(
        "verdict/status", "\"Fine\"",
        "$.verdict.status is \"Fine\" and not one of the words that belong there")]
    [InlineData("partial", "0", "$.partial is 0 and not true or false")]
    [InlineData("exitCode", "1e300", "$.exitCode is 1e300, a number larger than any of a run")]
    public void Wrong_IsNamedByItsPlace(string place, string value, string reason)
    {
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(Runs, "load", ResultsFolder.RunRecordName)))!;
        Set(json, place, JsonNode.Parse(value));

        Read(json.ToJsonString()).ShouldBe($"run.json: not a run record: {reason}");
    }

    [Fact]
    public void Missing_IsNamedByItsPlace()
    {
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(Runs, "load", ResultsFolder.RunRecordName)))!;
        json["verdict"]!.AsObject().Remove("status");
        json.AsObject().Remove("run");

        Read(json.ToJsonString()).ShouldBe("run.json: not a run record: $.run is missing");
    }

    [Fact]
    public void Twice_IsNamedByItsPlace() => Read(File
        .ReadAllText(Path.Combine(Runs, "load", ResultsFolder.RunRecordName))
        .Replace("\"verdict\": {", "\"verdict\": { \"reasons\": [],", StringComparison.Ordinal))
        .ShouldBe("run.json: not a run record: $.verdict.reasons is there twice");

    [Theory]
    [InlineData("producer")]
    [InlineData("load")]
    [InlineData("delay")]
    public void NothingButPlainWords_OfNullOrAnotherKindAnywhere(string run)
    {
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(Runs, run, ResultsFolder.RunRecordName)))!;
        Read(json.ToJsonString()).ShouldBeNull();
        var told = 0;
        foreach (var place in PlacesIn(json).ToList())
        {
            foreach (var value in new[] { "null", "[[]]", "\"x\"", "17.5", "{\"x\":null}" })
            {
                var copy = json.DeepClone();
                Set(copy, place, JsonNode.Parse(value));
                if (Read(copy.ToJsonString()) is not { } message)
                    continue;
                told++;
                message.ShouldMatch(
                    @"^run\.json: (not a run record: (\$[^ ]* is |it has no schemaVersion)|written in schema 17"
                        + "|contradicts itself: )",
                    $"{place}: {value}");
                message.ShouldNotMatch(
                    @"RedisLatency|System\.|JsonException|parameter|Path:|LineNumber", $"{place}: {value}");
            }
        }

        told.ShouldBeGreaterThan(500);
    }

    // The places of a list's first element stand for all.
    private static IEnumerable<string> PlacesIn(JsonNode? node) => node switch
    {
        JsonObject fields => fields.SelectMany(field => PlacesIn(field.Value)
            .Select(rest => rest.Length == 0 ? field.Key : $"{field.Key}/{rest}").Prepend(field.Key)),
        JsonArray { Count: > 0 } list => PlacesIn(list[0])
            .Select(rest => rest.Length == 0 ? "0" : $"0/{rest}").Prepend("0"),
        _ => [],
    };

    private static void Set(JsonNode root, string place, JsonNode? value)
    {
        var steps = place.Split('/');
        var parent = steps[..^1].Aggregate(
            root, (node, step) => node is JsonArray list ? list[int.Parse(step)]! : node[step]!);
        if (parent is JsonArray items)
            items[int.Parse(steps[^1])] = value;
        else
            parent[steps[^1]] = value;
    }

    private static string? Read(string text)
    {
        try
        {
            RunRecordReader.Parse("run.json", Encoding.UTF8.GetBytes(text));
            return null;
        }
        catch (RunRecordException failure)
        {
            return failure.Message;
        }
    }
}
