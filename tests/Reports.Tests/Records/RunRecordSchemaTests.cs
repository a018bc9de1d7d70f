using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Tests.Records;

public class RunRecordSchemaTests
{
    private static readonly string SchemaPath = RepositoryRoot.Combine("docs", "run-record.schema.json");

    [Fact]
    public void Schema_InTheDocumentation_IsThatOfTheCode()
    {
        var exported = RunRecordSchema.Export();
        if (Environment.GetEnvironmentVariable("REDISLATENCY_WRITE_SCHEMA") is "1")
            File.WriteAllText(SchemaPath, exported);

        File.ReadAllText(SchemaPath)
            .ShouldBe(exported, "The record's form has changed: REDISLATENCY_WRITE_SCHEMA=1 writes the schema anew.");
    }

    [Fact]
    public void Serialize_OfARecordWithEverything_HoldsToTheSchema()
    {
        var record = JsonNode.Parse(RunRecordWriter.Serialize(SampleRunRecord.Create(), []));

        SchemaCheck.Violations(Schema(), record).ShouldBeEmpty();
    }

    [Fact]
    public void Serialize_OfARecordWithTheLeast_HoldsToTheSchema()
    {
        var sample = SampleRunRecord.Create();
        var record = JsonNode.Parse(RunRecordWriter.Serialize(
            new()
            {
                SchemaVersion = sample.SchemaVersion,
                SuiteVersion = sample.SuiteVersion,
                Run = sample.Run,
                Role = sample.Role,
                Instance = sample.Instance,
                Environment = sample.Environment with { ClockSource = null, ClockReadCost = null },
                Verdict = new(VerdictStatus.Valid, []),
                ExitCode = 0,
            },
            []));

        SchemaCheck.Violations(Schema(), record).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("run")]
    [InlineData("environment")]
    [InlineData("verdict")]
    [InlineData("exitCode")]
    public void Violations_OfARecordWithoutARequiredField_AreFound(string field)
    {
        var record = JsonNode.Parse(RunRecordWriter.Serialize(SampleRunRecord.Create(), []))!.AsObject();
        record.Remove(field);

        SchemaCheck.Violations(Schema(), record).ShouldBe([$"#: {field} is missing"]);
    }

    [Fact]
    public void Violations_OfAFieldOfTheWrongKind_AreFound()
    {
        var record = JsonNode.Parse(RunRecordWriter.Serialize(SampleRunRecord.Create(), []))!.AsObject();
        record["options"]![0]!["source"] = "rumour";
        record["phases"]![0]!["durationNs"] = "long";

        SchemaCheck.Violations(Schema(), record).Count().ShouldBe(2);
    }

    private static JsonObject Schema() => JsonNode.Parse(File.ReadAllText(SchemaPath))!.AsObject();
}
