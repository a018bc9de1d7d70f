using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Tests.Results;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Tests.Records;

public sealed class RunRecordTests : IDisposable
{
    private readonly ScratchFolder _root = new();

    public void Dispose() => _root.Dispose();

    [Fact]
    public void Read_OfAWrittenRecord_IsThatRecord()
    {
        var record = SampleRunRecord.Create();
        var folder = ResultsFolder.Create(_root.Path, DateTimeOffset.UnixEpoch, record.Run, record.Instance);
        RunRecordWriter.Write(folder, record, secrets: []);

        var fromFolder = RunRecordReader.Read(folder.Path);
        var fromFile = RunRecordReader.Read(Path.Combine(folder.Path, ResultsFolder.RunRecordName));

        ToText(fromFolder).ShouldBe(ToText(record));
        ToText(fromFile).ShouldBe(ToText(record));
        fromFolder.Options[0].Source.ShouldBe(OptionSource.CommandLine);
        fromFolder.Summaries[0].Latencies[0].AboveRange.ShouldBe(1);
        fromFolder.Summaries[0].Latencies[0].BelowRange.ShouldBe(1);
        fromFolder.Summaries[0].Latencies[0].Percentiles[1].IsKnown.ShouldBeTrue();
        fromFolder.Summaries[0].Latencies[0].Percentiles[5].IsKnown.ShouldBeFalse();
    }

    [Fact]
    public void Serialize_OfTextsThatHoldASecret_WritesStars()
    {
        var record = SampleRunRecord.Create() with
        {
            PartialReason = "connect to redis://me:p@ss word@host failed",
            Verdict = new(VerdictStatus.NotValid, ["redis://me:p%40ss%20word@host"]),
            Targets =
            [
                SampleRunRecord.Create().Targets[0] with
                {
                    Server = SampleRunRecord.Create().Targets[0].Server! with
                    {
                        Facts = new Dictionary<string, string> { ["p@ss word"] = "1" },
                    },
                },
            ],
        };

        var text = Encoding.UTF8.GetString(RunRecordWriter.Serialize(record, ["", "p@ss word", "p@ss"]));

        text.ShouldNotContain("p@ss");
        text.ShouldNotContain("p%40ss");
        RunRecordReader.Parse("text", Encoding.UTF8.GetBytes(text)).PartialReason
            .ShouldBe("connect to redis://me:***@host failed");
    }

    [Fact]
    public void Serialize_OfTextsForPeople_LeavesThemReadable()
    {
        var record = SampleRunRecord.Create() with
        {
            SuiteVersion = "0.1.0+d0bd5ccc",
            PartialReason = "the host's 45 µs → \u009b",
        };

        var text = Encoding.UTF8.GetString(RunRecordWriter.Serialize(record, []));

        text.ShouldContain("\"0.1.0+d0bd5ccc\"");
        text.ShouldContain("\"the host's 45 µs → \\u009B\"");
    }

    [Fact]
    public void Serialize_OfNumbersThatAreNotFinite_LeavesThemOut()
    {
        var record = SampleRunRecord.Create() with
        {
            Summaries =
            [
                new()
                {
                    Name = "a",
                    Rates = new() { Achieved = double.NaN, Asked = double.PositiveInfinity },
                    Latencies = [new() { Name = "rtt", Count = 0, Mean = double.NaN }],
                },
            ],
        };

        var read = RunRecordReader.Parse("text", RunRecordWriter.Serialize(record, []));

        read.Summaries[0].Rates.Achieved.ShouldBeNull();
        read.Summaries[0].Latencies[0].Mean.ShouldBeNull();
    }

    [Fact]
    public void Read_OfAFieldItDoesNotKnow_PassesItOver()
    {
        var json = ToJson();
        json["tomorrow"] = new JsonObject { ["more"] = 1 };
        json["verdict"]!["confidence"] = "high";

        Parse(json).Run.ShouldBe("night");
    }

    [Theory]
    [InlineData(1, "text: written in schema 1, older than the 2 that this version reads")]
    [InlineData(3, "text: written in schema 3, newer than the 2 that this version reads")]
    public void Read_OfAnotherSchema_SaysWhichInOneLine(int version, string line)
    {
        var json = ToJson();
        json["schemaVersion"] = version;
        json["run"] = 17;

        var exception = Should.Throw<RunRecordException>(() => Parse(json));

        exception.Message.ShouldBe(line);
    }

    [Theory]
    [InlineData("")]
    [InlineData("not json")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("{\"schemaVersion\":2}")]
    [InlineData("{\"schemaVersion\":0}")]
    [InlineData("{\"schemaVersion\":\"1\"}")]
    [InlineData("{\"schemaVersion\":1e99}")]
    public void Parse_OfWhatIsNoRunRecord_SaysSo(string text) =>
        Should.Throw<RunRecordException>(() => RunRecordReader.Parse("some.json", Encoding.UTF8.GetBytes(text)))
            .ShouldSatisfyAllConditions(
                exception => exception.Message.ShouldContain(": not a run record: "),
                exception => exception.Message.ShouldStartWith("some.json: "));

    [Fact]
    public void Parse_OfARecordCutAnywhere_NeverTakesItForWhole()
    {
        var whole = RunRecordWriter.Serialize(SampleRunRecord.Create(), []);
        for (var length = 0; length < whole.Length; length++)
        {
            Should.Throw<RunRecordException>(() => RunRecordReader.Parse("torn", whole.AsMemory(0, length)))
                .Message.ShouldContain(": not a run record: ");
        }
    }

    [Theory]
    [InlineData("phases", "[null]")]
    [InlineData("phases", "null")]
    [InlineData("run", "null")]
    [InlineData("options", "[{\"name\":\"a\",\"value\":\"b\",\"source\":\"rumour\"}]")]
    [InlineData("exitCode", "\"0\"")]
    public void Parse_OfAFieldOfTheWrongKind_IsRefused(string field, string value)
    {
        var json = ToJson();
        json[field] = JsonNode.Parse(value);

        Should.Throw<RunRecordException>(() => Parse(json)).Message.ShouldContain(": not a run record: ");
    }

    /// <summary>What may be missing, such as the clocks of a run on one host, is shown as missing.</summary>
    [Fact]
    public void Parse_OfARecordWithoutOneOfItsFields_IsRefusedOrShown()
    {
        var refused = 0;
        var paths = PathsIn(ToJson()).ToArray();
        foreach (var path in paths)
        {
            var json = ToJson();
            var owner = path[..^1].Aggregate(
                (JsonNode)json, (node, step) => step is int at ? node[at]! : node[$"{step}"]!);
            owner.AsObject().Remove($"{path[^1]}");
            try
            {
                new SummaryText(Parse(json), folder: null).WriteTo(TextWriter.Null);
            }
            catch (RunRecordException)
            {
                refused++;
            }
        }

        refused.ShouldBeInRange(1, paths.Length - 1);
    }

    [Fact]
    public void Parse_OfAFieldTwice_IsRefused()
    {
        var text = ToText(SampleRunRecord.Create()).Replace("{\n  \"", "{\n  \"run\": \"other\",\n  \"");

        Should.Throw<RunRecordException>(() => RunRecordReader.Parse("twice", Encoding.UTF8.GetBytes(text)))
            .Message.ShouldContain(": not a run record: ");
    }

    [Fact]
    public void Parse_OfHostileDepth_IsRefused() =>
        Should.Throw<RunRecordException>(
            () => RunRecordReader.Parse("deep", Encoding.UTF8.GetBytes(new string('[', 1_000_000))));

    [Fact]
    public void Read_OfAFolderWithoutARecord_SaysThatThereIsNone() =>
        Should.Throw<RunRecordException>(() => RunRecordReader.Read(_root.Path))
            .IsMissing.ShouldBeTrue();

    [Fact]
    public void Read_OfAFolderThatIsNotThere_SaysThatThereIsNone() =>
        Should.Throw<RunRecordException>(() => RunRecordReader.Read(_root.Combine("a/b/c")))
            .IsMissing.ShouldBeTrue();

    [Fact]
    public void Read_OfAFileTooLargeForARecord_DoesNotLoadIt()
    {
        var path = _root.Combine("run.json");
        using (var file = File.Create(path))
            file.SetLength(RunRecordReader.LargestFile + 1);

        Should.Throw<RunRecordException>(() => RunRecordReader.Read(path))
            .Message.ShouldContain("more than 67,108,864 bytes are in it");
    }

    private static IEnumerable<object[]> PathsIn(JsonNode? node) => node switch
    {
        JsonObject fields => fields.SelectMany(
            field => PathsIn(field.Value).Select(rest => (object[])[field.Key, .. rest]).Prepend([field.Key])),
        JsonArray { Count: > 0 } list => PathsIn(list[0]).Select(rest => (object[])[0, .. rest]),
        _ => [],
    };

    private static RunRecord Parse(JsonObject json) =>
        RunRecordReader.Parse("text", Encoding.UTF8.GetBytes(json.ToJsonString()));

    private static JsonObject ToJson() => JsonNode.Parse(ToText(SampleRunRecord.Create()))!.AsObject();

    private static string ToText(RunRecord record) => Encoding.UTF8.GetString(RunRecordWriter.Serialize(record, []));
}
