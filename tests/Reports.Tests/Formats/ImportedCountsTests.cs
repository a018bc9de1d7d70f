using System.Text.Json.Nodes;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.Merging;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>A count that a file does not say is absent from all that is made of it, never 0.</summary>
public sealed class ImportedCountsTests : IDisposable
{
    // No server was asked of an import, and that is a fact of ours.
    private const string Asked = "serversAsked";

    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Theory]
    [InlineData("csv")]
    [InlineData("quiet")]
    [InlineData("text")]
    [InlineData("hgrm")]
    // All its values are one.
    [InlineData("untagged log", "aboveRange", "belowRange", "standardDeviation")]
    [InlineData("memtier log", "aboveRange", "belowRange")]
    [InlineData("ycsb log", "aboveRange", "belowRange", "standardDeviation")]
    // It says that no connection had an error, and that all replies were OK.
    [InlineData("memtier", "connections-lost", "aboveRange", "belowRange")]
    [InlineData("ycsb", "errors", "missing")]
    [InlineData("ycsb without replies")]
    [InlineData("RedisShake")]
    public void ZeroesOfTheRecord_AreThoseOfTheFile(string form, params string[] said)
    {
        var (record, folder) = Import(form);

        ZeroesIn(folder).Except([Asked]).Except(said).ShouldBeEmpty();
        var line = ResultLine(record).Split(' ').Where(word => word.EndsWith("=0") && word != "exit=0")
            .Select(word => word[..^2]);
        line.Except(said).ShouldBeEmpty();
        using var csv = new StringWriter();
        RecordCsv.Write(csv, record);
        var rows = csv.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(row => row.TrimEnd().Split(',')).ToList();
        rows.Skip(1).SelectMany(row => rows[0].Zip(row)).Where(cell => cell.Second == "0").Select(cell => cell.First)
            .Except(said).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("memtier")]
    [InlineData("ycsb without replies")]
    [InlineData("text")]
    [InlineData("memtier log")]
    public void WhatWasSent_IsNotMadeOfWhatCompleted(string form)
    {
        var (record, _) = Import(form);

        record.Metrics["returned"].ShouldBeGreaterThan(0);
        record.Metrics.Keys.Intersect(["sent", "asked", "lost", "timed-out"]).ShouldBeEmpty();
        using var text = new StringWriter();
        new AnswerText(record, null).WriteTo(text);
        text.ToString().ReplaceLineEndings(" ").ShouldMatch(@"; [\d,]+ operations");
    }

    [Fact]
    public void ChangeOfACount_ThatNoFileSays_CannotBeTold()
    {
        var (record, _) = Import("csv");
        var limit = ChangeLimit.Parse("set.lost>+5%")!;

        var comparison = new RunComparison([record], [record], [limit.Metric]);

        comparison.Metrics.ShouldContain("set.lost");
        limit.IsBroken(comparison).ShouldBeNull();
    }

    [Fact]
    public void SumOfImports_KnowsNoMore()
    {
        var merge = new RunMerge("0.1.0");
        merge.Add(SavedRun.Open(Import("memtier").Folder)).ShouldBeNull();
        merge.Add(SavedRun.Open(Import("later memtier").Folder)).ShouldBeNull();
        var results = ResultsFolder.Create(_scratch.Combine("merged"), DateTimeOffset.UnixEpoch, "old", "merged");
        RunRecordWriter.Write(results, merge.MergeInto(results), []);

        ZeroesIn(results.Path).Except([Asked, "connections-lost", "aboveRange", "belowRange"]).ShouldBeEmpty();
    }

    private (RunRecord Record, string Folder) Import(string form) => form switch
    {
        "csv" => ImportedSamples.Import(_scratch, ImportedSamples.BenchmarkCsv),
        "quiet" => ImportedSamples.Import(_scratch, "GET: 90090.09 requests per second, p50=0.271 msec\n"),
        "text" => ImportedSamples.Import(_scratch, ImportedSamples.Benchmark),
        "hgrm" => ImportedSamples.Import(_scratch, ImportedSamples.Hgrm, ImportUnit.Us),
        "untagged log" => ImportedSamples.Import(_scratch, ImportedSamples.YcsbLog(string.Empty), ImportUnit.Us),
        "memtier log" => ImportedSamples.Import(_scratch, ImportedSamples.MemtierLog()),
        "ycsb log" => ImportedSamples.Import(_scratch, ImportedSamples.YcsbLog()),
        "memtier" => ImportedSamples.Import(_scratch, ImportedSamples.Memtier()),
        "later memtier" => ImportedSamples.Import(
            _scratch, ImportedSamples.Memtier().Replace("17952521", "17952522", StringComparison.Ordinal)),
        "ycsb" => ImportedSamples.Import(_scratch, ImportedSamples.Ycsb),
        "ycsb without replies" => ImportedSamples.Import(
            _scratch, ImportedSamples.Ycsb.Replace("[READ], Return=OK, 10029\n", "", StringComparison.Ordinal)),
        _ => ImportedSamples.Import(_scratch, ImportedSamples.RedisShake),
    };

    private static string ResultLine(RunRecord record)
    {
        using var text = new StringWriter();
        new SummaryText(record, null).WriteTo(text);
        return text.ToString().Split('\n').Last(line => line.StartsWith("RESULT", StringComparison.Ordinal));
    }

    private static IEnumerable<string> ZeroesIn(string folder)
    {
        var json = JsonNode.Parse(File.ReadAllText(Path.Combine(folder, ResultsFolder.RunRecordName)))!;
        return new[] { json["metrics"], json["summaries"], json["phases"] }.SelectMany(part => ZeroesIn(part, ""))
            .Distinct();
    }

    private static IEnumerable<string> ZeroesIn(JsonNode? node, string name) => node switch
    {
        // A number is a row, and its name stands beside it.
        JsonObject fields => fields.SelectMany(field => ZeroesIn(
            field.Value,
            field.Key == "value" && fields["name"] is { } row ? row.GetValue<string>() : field.Key)),
        JsonArray list => list.SelectMany(item => ZeroesIn(item, name)),
        JsonValue value when value.ToJsonString() == "0" => [name],
        _ => [],
    };
}
