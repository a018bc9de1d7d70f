using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Formats;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.Formats;

/// <summary>A real load in the forms of other tools, which are read again.</summary>
public sealed class ExportTests : IDisposable
{
    private static readonly SavedRun Load =
        SavedRun.Open(RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", "load"));

    private readonly ScratchFolder _scratch = new();

    public void Dispose() => _scratch.Dispose();

    [Fact]
    public void Memtier_ReadAgain_HasTheSameNumbers()
    {
        var (record, _) = ImportedSamples.Import(_scratch, Text(MemtierDocument.Write));

        var own = Load.Record!.Metrics;
        foreach (var (theirs, ours) in new[] { ("get", "read"), ("set", "update") })
        {
            record.Metrics[$"run.{theirs}-service.count"].ShouldBe(own[$"2.{ours}-service.count"]);
            // Microseconds, as that tool has them.
            record.Metrics[$"run.{theirs}-service.p50"].ShouldBe(own[$"2.{ours}-service.p50"], 1_100);
            record.Metrics[$"run.{theirs}-service.p99"]
                .ShouldBe(own[$"2.{ours}-service.p99"], own[$"2.{ours}-service.p99"] / 500);
        }

        record.Metrics["run.service.max"].ShouldBe(
            Math.Max(record.Metrics["run.get-service.max"], record.Metrics["run.set-service.max"]));
        record.Metrics["run.hits"].ShouldBe(own["2.hits"], own["2.hits"] / 1_000);
        record.Metrics["run.throughput"].ShouldBe(own["2.throughput"], own["2.throughput"] / 1_000);
        record.Metrics["load.service.count"].ShouldBe(20_000);
        record.Imported!.HasHistograms.ShouldBeTrue();
    }

    [Fact]
    public void Memtier_HasTheMembersOfTheOriginal()
    {
        var original = JsonNode.Parse(File.ReadAllText(ImportedSamples.Captured("memtier.json")))!;

        var exported = JsonNode.Parse(Text(MemtierDocument.Write))!;

        Members(exported["configuration"]).ShouldBe(Members(original["configuration"]));
        Members(exported["run RESULTS"]!["Runtime"]).ShouldBe(Members(original["ALL STATS"]!["Runtime"]));
        foreach (var row in new[] { "Gets", "Sets", "Totals" })
        {
            Members(exported["run RESULTS"]![row]).ShouldBe(Members(original["ALL STATS"]![row]));
            Members(exported["run RESULTS"]![row]!["Percentile Latencies"])
                .ShouldBe(Members(original["ALL STATS"]![row]!["Percentile Latencies"]));
            Members(exported["run RESULTS"]![row]!["Time-Serie"]!.AsObject()
                .First(second => second.Value!["Count"]!.GetValue<long>() > 0).Value)
                .ShouldBe(Members(original["ALL STATS"]![row]!["Time-Serie"]!["0"]));
        }

        Members(exported["run RESULTS"]!["GET"]![0]).ShouldBe(Members(original["ALL STATS"]!["GET"]![0]));
        var timed = JsonNode.Parse(File.ReadAllText(ImportedSamples.Captured("memtier-two-runs.json")))!;
        Members(exported["run information"]).ShouldBe(Members(timed["run information"]));
    }

    [Fact]
    public void Ycsb_ReadAgain_HasTheSameNumbers()
    {
        var text = Text(YcsbText.Write);

        var (record, _) = ImportedSamples.Import(_scratch, text);

        text.ShouldContain("[OVERALL], RunTime(ms), ");
        var own = Load.Record!.Metrics;
        foreach (var name in own.Keys.Where(name => name.Contains("-service.p", StringComparison.Ordinal)
            && name.StartsWith("2.", StringComparison.Ordinal)))
            record.Metrics[name[2..]].ShouldBe(own[name], 501, name);
        record.Metrics["completed"].ShouldBe(own["2.completed"]);
    }

    [Fact]
    public void ARunWithoutOperations_HasNoSuchForm()
    {
        var producer = SavedRun.Open(RepositoryRoot.Combine("tests", "Reports.Tests", "Summaries", "Runs", "producer"));

        Should.Throw<ExportException>(() => YcsbText.Write(new StringWriter(), producer))
            .Message.ShouldEndWith("a producer has no operations, which that form is of");
    }

    private static IEnumerable<string> Members(JsonNode? node) => node!.AsObject().Select(member => member.Key);

    private static string Text(Action<TextWriter, SavedRun> write)
    {
        var writer = new StringWriter { NewLine = "\n" };
        write(writer, Load);
        return writer.ToString();
    }
}
