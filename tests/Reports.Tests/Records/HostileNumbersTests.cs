using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Records;

/// <summary>A record with any number in it is refused or printed, merged and written: none ends the program.</summary>
public sealed class HostileNumbersTests : IDisposable
{
    private static readonly string Runs = RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs");

    private static readonly string[] Numbers =
    [
        "9223372036854775807", "-9223372036854775808", "2305843009213693952", "-2305843009213693952", "1.7e308", "2e18",
        "0", "-1",
    ];

    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData("producer")]
    [InlineData("load")]
    [InlineData("delay")]
    public void RecordWithSuchANumberAnywhere_IsRefusedOrShown(string run)
    {
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(Runs, run, ResultsFolder.RunRecordName)))!;
        var shown = 0;
        foreach (var text in Hostile(json))
        {
            if (Read(text) is not { } record)
                continue;
            shown++;
            Try(text, () =>
            {
                using var writer = new StringWriter();
                new AnswerText(record, null).WriteTo(writer);
                new SummaryText(record, null).WriteTo(writer);
                RecordCsv.Write(writer, record);
                JsonNode.Parse(RunRecordWriter.Serialize(record, []));
            });
        }

        shown.ShouldBeGreaterThan(100);
    }

    [Theory]
    [InlineData("load")]
    public void RecordsWithSuchANumberAnywhere_AreRefusedOrMerged(string run)
    {
        var source = Path.Combine(Runs, run);
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(source, ResultsFolder.RunRecordName)))!;
        var (number, merged) = (0, 0);
        foreach (var text in Hostile(json))
        {
            Try(text, () =>
            {
                try
                {
                    var merge = new RunMerge("0.1.0");
                    for (var part = 0; part < 2; part++)
                    {
                        if (merge.Add(Part(source, text, $"{number++}")) is not null)
                            return;
                    }

                    var folder = ResultsFolder.Create(_scratch.Path, DateTimeOffset.UnixEpoch, "m", $"{number}");
                    var record = merge.MergeInto(folder);
                    JsonNode.Parse(RunRecordWriter.Serialize(record, []));
                    using var writer = new StringWriter();
                    new SummaryText(record, null).WriteTo(writer);
                    merged++;
                }
                catch (SavedRunException)
                {
                }
            });
        }

        merged.ShouldBeGreaterThan(50);
    }

    private SavedRun Part(string source, string text, string name)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_scratch.Path, $"part-{name}")).FullName;
        File.Copy(
            Path.Combine(source, ResultsFolder.IntervalLogName), Path.Combine(folder, ResultsFolder.IntervalLogName));
        var json = JsonNode.Parse(text)!.AsObject();
        json["instance"] = name;
        File.WriteAllText(Path.Combine(folder, ResultsFolder.RunRecordName), json.ToJsonString());
        return SavedRun.Open(folder);
    }

    private static RunRecord? Read(string text)
    {
        try
        {
            return RunRecordReader.Parse("hostile", Encoding.UTF8.GetBytes(text));
        }
        catch (RunRecordException)
        {
            return null;
        }
    }

    private static void Try(string text, Action step)
    {
        try
        {
            step();
        }
        catch (Exception failure) when (failure is not ShouldAssertException)
        {
            throw new InvalidOperationException($"{Different(text)}: {failure}", failure);
        }
    }

    private static string Different(string text) => string.Join(' ', Numbers
        .Where(number => text.Contains($": {number}", StringComparison.Ordinal))
        .Select(number => text[Math.Max(0, text.IndexOf($": {number}", StringComparison.Ordinal) - 60)..]
            .Split('\n')[0]));

    // Every number of the record in turn, of a list that of its first element.
    private static IEnumerable<string> Hostile(JsonNode root)
    {
        foreach (var path in PathsIn(root).ToList())
        {
            foreach (var number in Numbers)
            {
                var copy = root.DeepClone();
                var parent = path[..^1].Aggregate(copy, (node, step) => step is int i ? node![i]! : node![(string)step]!);
                var changed = JsonNode.Parse(number);
                if (path[^1] is int index)
                    parent[index] = changed;
                else
                    parent[(string)path[^1]] = changed;
                yield return copy.ToJsonString(new() { WriteIndented = true });
            }
        }
    }

    private static IEnumerable<object[]> PathsIn(JsonNode? node) => node switch
    {
        JsonObject fields => fields.SelectMany(
            field => PathsIn(field.Value).Select(rest => (object[])[field.Key, .. rest])),
        JsonArray { Count: > 0 } list => PathsIn(list[0]).Select(rest => (object[])[0, .. rest]),
        JsonValue value when value.GetValueKind() == System.Text.Json.JsonValueKind.Number => [[]],
        _ => [],
    };
}
